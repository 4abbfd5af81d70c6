//! Connections to servers that are not trusted.

use std::{
    fmt, io,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// A connection of any kind.
pub trait Wire: AsyncRead + AsyncWrite + Unpin + Send + Sync + fmt::Debug {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + Sync + fmt::Debug> Wire for S {}

/// A check of each piece of data from the server before it is used.
pub type Check = Box<dyn FnMut(&[u8]) -> io::Result<()> + Send + Sync>;

/// A connection that fails if the server sends too much between two commands, or data that the
/// check rejects.
pub struct Bounded {
    wire: Box<dyn Wire>,
    most: usize,
    left: usize,
    check: Check,
}

impl Bounded {
    /// Wraps `wire`, allowing at most `most` bytes from the server between two commands.
    pub fn new(wire: Box<dyn Wire>, most: usize, check: Check) -> Bounded {
        Bounded { wire, most, left: most, check }
    }
}

impl fmt::Debug for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounded").field("wire", &self.wire).field("left", &self.left).finish_non_exhaustive()
    }
}

impl AsyncRead for Bounded {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.wire).poll_read(context, buffer))?;
        let came = &buffer.filled()[before..];
        let left = this.left.checked_sub(came.len());
        this.left = left.ok_or_else(|| fault("the server says more than any answer needs"))?;
        Poll::Ready((this.check)(came))
    }
}

impl AsyncWrite for Bounded {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.left = this.most;
        Pin::new(&mut this.wire).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_shutdown(context)
    }
}

/// Maximum length in bytes of a line read by [`read_line`].
const MAX_LINE: usize = 8_192;

/// Reads one line including its end, and not a byte more. Bytes that were sent before TLS began
/// thus become part of the TLS handshake, which fails.
///
/// # Errors
/// If the connection ends within the line, or the line is too long.
pub async fn read_line(wire: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        if line.len() == MAX_LINE {
            return Err(fault("the server's line is too long"));
        }
        line.push(wire.read_u8().await?);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn fault(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
