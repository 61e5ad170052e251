//! A real S3 server in this process: `s3s` over a folder, with credentials.

use std::net::TcpListener as StdListener;
use std::path::PathBuf;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;

const BUCKET: &str = "amlgraph-files";
const KEY: &str = "test-access-key";
const SECRET: &str = "test-secret-access-key";

/// A server with one bucket. It serves as long as the test process runs.
pub struct S3 {
    folder: TempDir,
    address: String,
}

impl S3 {
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("amlgraph-s3-").tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a bucket");
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).expect("a store"));
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        let listener = StdListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it can be asked");
        let address = listener.local_addr().expect("an address").to_string();
        // A runtime of its own: it is to answer while a test waits for a process.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).expect("a listener");
                while let Ok((stream, _)) = listener.accept().await {
                    let service = service.clone();
                    tokio::spawn(
                        async move { Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await.map_err(drop) },
                    );
                }
            });
        });
        Self { folder, address }
    }

    /// What a server is to be told so that it keeps its files there.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AMLGRAPH_FILES__URL", format!("s3://{BUCKET}/case-files")),
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "eu-central-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// The objects that are there.
    pub fn objects(&self) -> Vec<PathBuf> {
        super::files_in(&self.folder.path().join(BUCKET).join("case-files"))
    }
}
