//! Conversion of SVG to PNG, small enough for mails.

use resvg::{
    tiny_skia::{Color, Pixmap, Transform},
    usvg::{Options, ShapeRendering, Tree},
};
use thiserror::Error;

/// Maximum number of colors. Others, which occur at the edges of letters, are replaced by the
/// nearest.
const COLOURS: usize = 32;

/// Maximum width and height in pixels.
const MOST: f64 = 20_000.0;

/// An error of converting a drawing.
#[derive(Debug, Error)]
pub enum DrawingFault {
    /// The text is not a valid SVG drawing.
    #[error("this is no drawing: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture would have no height or too many pixels.
    #[error("a picture of {wide} x {high} points cannot be drawn")]
    Size {
        /// Its width in pixels.
        wide: u32,
        /// Its height in pixels, or 0 if it is out of range.
        high: u32,
    },
    /// The picture could not be encoded.
    #[error("the picture could not be written: {0}")]
    Png(#[from] png::EncodingError),
}

/// Converts a drawing to a PNG of `width` pixels; the height follows from its aspect ratio. The
/// same drawing gives the same bytes everywhere.
///
/// # Errors
/// [`DrawingFault`] if `svg` is not a drawing, or `width` is 0 or too large.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, DrawingFault> {
    // The default options load neither fonts nor external files. Crisp edges make the file a third
    // smaller; letters override them in the drawing.
    let options = Options { shape_rendering: ShapeRendering::CrispEdges, ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let scale = f64::from(width) / f64::from(size.width());
    let high = (f64::from(size.height()) * scale).ceil();
    let high = if (1.0..=MOST).contains(&high) { high as u32 } else { 0 };
    let fault = DrawingFault::Size { wide: width, high };
    if f64::from(width) > MOST {
        return Err(fault);
    }
    let mut pixmap = Pixmap::new(width, high).ok_or(fault)?;
    pixmap.fill(Color::WHITE);
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let points: Vec<[u8; 3]> = pixmap.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
    let (palette, indices) = reduced(&points);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, high);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    // The result is 5 % larger than with the highest compression, which takes more than twice the
    // time.
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(out)
}

/// Returns the palette, and the index in it for each pixel.
fn reduced(points: &[[u8; 3]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    // One counter for every possible color. The system only allocates the pages that are used.
    let place = |[red, green, blue]: [u8; 3]| usize::from(red) << 16 | usize::from(green) << 8 | usize::from(blue);
    let mut counts: Vec<u32> = vec![0; 1 << 24];
    let mut known: Vec<[u8; 3]> = Vec::new();
    // Most pixels equal the preceding one.
    for run in points.chunk_by(|a, b| a == b) {
        let count = &mut counts[place(run[0])];
        if *count == 0 {
            known.push(run[0]);
        }
        *count = count.saturating_add(u32::try_from(run.len()).unwrap_or(u32::MAX));
    }
    let mut colours: Vec<([u8; 3], u32)> = known.iter().map(|&colour| (colour, counts[place(colour)])).collect();
    colours.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    let far =
        |a: &[u8; 3], b: &[u8; 3]| -> u32 { a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum() };
    // Repeatedly adds the color with the greatest error: its number of pixels times its distance
    // from the palette.
    let mut palette: Vec<[u8; 3]> = Vec::with_capacity(COLOURS);
    let mut missed = vec![u32::MAX; colours.len()];
    while palette.len() < COLOURS {
        let weight = |at: usize| u64::from(colours[at].1) * u64::from(missed[at]);
        let worst =
            (0..colours.len()).filter(|&at| missed[at] > 0).max_by_key(|&at| (weight(at), std::cmp::Reverse(at)));
        let Some(worst) = worst else { break };
        let kept = colours[worst].0;
        palette.push(kept);
        missed.iter_mut().zip(&colours).for_each(|(miss, (colour, _))| *miss = (*miss).min(far(colour, &kept)));
    }
    let nearest = |colour: &[u8; 3]| {
        let near = palette.iter().enumerate().min_by_key(|(_, other)| far(colour, other));
        // The palette has fewer than 256 colors.
        near.and_then(|(at, _)| u8::try_from(at).ok()).unwrap_or(0)
    };
    let mut index: Vec<u8> = vec![0; 1 << 24];
    colours.iter().for_each(|(colour, _)| index[place(*colour)] = nearest(colour));
    let indices = points.iter().map(|&point| index[place(point)]).collect();
    (palette, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 20\" width=\"10\" height=\"20\">\
                          <rect width=\"10\" height=\"10\" fill=\"#ff0000\"/></svg>";

    #[test]
    fn a_picture_is_as_wide_as_asked_and_the_same_every_time() {
        let picture = png(SQUARE, 40).expect("a drawing");
        let decoder = png::Decoder::new(std::io::Cursor::new(&picture));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut points = vec![0; reader.output_buffer_size().expect("its size")];
        reader.next_frame(&mut points).expect("a picture");
        assert_eq!((reader.info().width, reader.info().height), (40, 80));
        let palette = reader.info().palette.as_deref().expect("colours");
        let colour = |at: usize| &palette[3 * usize::from(points[at])..][..3];
        assert_eq!((colour(0), colour(40 * 79)), ([255, 0, 0].as_slice(), [255, 255, 255].as_slice()));
        assert_eq!(png(SQUARE, 40).expect("a drawing"), picture);
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        assert!(matches!(png("<svg", 40), Err(DrawingFault::Svg(_))));
        assert!(matches!(png(SQUARE, 0), Err(DrawingFault::Size { wide: 0, .. })));
        assert!(matches!(png(SQUARE, 1_000_000), Err(DrawingFault::Size { .. })));
    }
}
