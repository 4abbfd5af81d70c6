//! What mail programs put around a quoted message: attributions, dividers, header fields of the original, the line
//! that a telephone signs with, and the notices of mail systems. Words are known for many languages; where they are not, the shape of an address, a date
//! or a row of header fields is enough.

mod attribution;
mod device;
mod divider;
mod field_names;
mod fields;
mod notice;
mod shape;

pub(super) use self::{
    attribution::{attribution, is_attribution_with_text, may_be_attribution},
    device::{is_device_line, may_be_sentence},
    divider::{is_broken_divider, is_divider, is_unknown_divider},
    fields::{is_header_block, is_page_heading, may_be_header_block},
    notice::notice,
    shape::is_telling,
};
