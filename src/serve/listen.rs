//! Sockets that only this machine can reach: a loopback address, or a path in the file system.

use super::error::ServeError;
use postrider_disk as disk;
use std::{
    fmt::Debug,
    io,
    net::SocketAddr,
    os::unix::fs::{FileTypeExt, PermissionsExt},
    path::{Path, PathBuf},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, UnixListener},
};

/// A connection of any kind.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Debug {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + Debug> Stream for S {}

/// A listening socket.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Path(UnixListener, PathBuf),
}

impl Listener {
    /// Listens on an address from the settings: `127.0.0.1:2424`, or `unix:` and a path relative to
    /// `folder`. The socket at a path can be used by the owner and the group of this process.
    ///
    /// # Errors
    ///
    /// Returns [`ServeError::Listen`].
    pub async fn bind(folder: &Path, address: &str) -> Result<Listener, ServeError> {
        let wrong = |why: String| ServeError::Listen { address: address.to_owned(), why };
        if let Some(path) = address.strip_prefix("unix:") {
            let path = folder.join(path);
            // Removes a socket left by an earlier process, but never a file of another kind.
            if path.symlink_metadata().is_ok_and(|about| about.file_type().is_socket()) {
                disk::remove(&path).map_err(|why| wrong(why.to_string()))?;
            }
            let listener = UnixListener::bind(&path).map_err(|why| wrong(why.to_string()))?;
            let mode = std::fs::Permissions::from_mode(0o660);
            std::fs::set_permissions(&path, mode).map_err(|why| wrong(why.to_string()))?;
            return Ok(Listener::Path(listener, path));
        }
        let form = "an address is an IP address and a port, as 127.0.0.1:2424, or unix: and a path";
        let at: SocketAddr = address.parse().map_err(|_| wrong(form.to_owned()))?;
        if !at.ip().is_loopback() {
            return Err(wrong(
                "others than this machine could reach it: use 127.0.0.1, [::1] or unix: and a path".to_owned(),
            ));
        }
        Ok(Listener::Tcp(TcpListener::bind(at).await.map_err(|why| wrong(why.to_string()))?))
    }

    /// Accepts the next connection.
    pub async fn accept(&self) -> io::Result<Box<dyn Stream>> {
        Ok(match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Answers are short, and the client waits for each.
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
            Listener::Path(listener, _) => Box::new(listener.accept().await?.0),
        })
    }
}

/// Removes the path, so that no client connects to a dead socket.
impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Path(_, path) = self {
            let _ = disk::remove(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(address: &str) -> Result<Listener, ServeError> {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Listener::bind(folder.path(), address))
    }

    #[test]
    fn nobody_else_can_reach_it() {
        for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:2424", "localhost:2424", "2424", ""] {
            assert!(matches!(bind(address), Err(ServeError::Listen { .. })), "{address}");
        }
        for address in ["127.0.0.1:0", "127.0.0.9:0", "unix:lmtp"] {
            bind(address).unwrap();
        }
    }
}
