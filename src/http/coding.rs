//! How a request's body is written, by its headers: what they say is understood, or refused by its name. No body is read otherwise than its sender meant it.

use std::io::{self, Write};

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName};
use flate2::write::MultiGzDecoder;
use futures::{Stream, TryStreamExt, stream};
use rest_compat::BodyFault;

use super::body;
use crate::refusal::Refusal;

/// What is inflated at once, in compressed bytes: a thousand times as much may come of it, which nobody has counted yet.
const AT_ONCE: usize = 256;
/// Character sets in which texts are written as in UTF-8.
const UTF_8: [&str; 4] = ["utf-8", "utf8", "us-ascii", "ascii"];
/// The most characters that are repeated of what was not understood.
const SHOWN: usize = 40;

/// How the bytes that come make the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Plain,
    Gzip,
}

/// The request with its body as it was before it was compressed, which is bounded where it is read; or why it can't be understood.
pub async fn decoded(request: Request) -> Result<Request, Refusal> {
    let (mut parts, body) = request.into_parts();
    // Of a body that is not there headers can say what they like.
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, body));
    }
    match Coding::of(&parts.headers) {
        Ok(Coding::Plain) => Ok(Request::from_parts(parts, body)),
        Ok(Coding::Gzip) => {
            // They are about what was sent.
            parts.headers.remove(CONTENT_ENCODING);
            parts.headers.remove(CONTENT_LENGTH);
            Ok(Request::from_parts(parts, Body::from_stream(inflated(body))))
        }
        Err(refusal) => {
            body::discard(body).await;
            Err(refusal)
        }
    }
}

impl Coding {
    fn of(headers: &HeaderMap) -> Result<Self, Refusal> {
        if let Some(other) = words(headers, &TRANSFER_ENCODING).find(|coding| coding != "chunked") {
            return Err(Refusal::TransferCoding(shown(&other)));
        }
        if headers.contains_key(CONTENT_RANGE) {
            return Err(Refusal::Malformed("content-range: must not be there; a body is sent whole".into()));
        }
        if headers.get_all(CONTENT_TYPE).iter().nth(1).is_some() {
            return Err(Refusal::Malformed("content-type: must be given once".into()));
        }
        if let Some(other) = charset(headers).filter(|charset| !UTF_8.contains(&charset.as_str())) {
            return Err(Refusal::Charset(shown(&other)));
        }
        let codings: Vec<String> = words(headers, &CONTENT_ENCODING).filter(|coding| coding != "identity").collect();
        match &codings[..] {
            [] => Ok(Self::Plain),
            [coding] if matches!(coding.as_str(), "gzip" | "x-gzip") => Ok(Self::Gzip),
            others => Err(Refusal::ContentCoding(shown(&others.join(", ")))),
        }
    }
}

/// The words of a header that is a list, in small letters.
fn words(headers: &HeaderMap, name: &HeaderName) -> impl Iterator<Item = String> {
    let lines = headers.get_all(name).iter().map(|line| String::from_utf8_lossy(line.as_bytes()).to_lowercase());
    let words = lines.flat_map(|line| line.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>());
    words.filter(|word| !word.is_empty())
}

/// The character set that the body's type names, in small letters. Some write it between the wrong quotes, or leave it empty.
fn charset(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(CONTENT_TYPE)?.to_str().ok()?.to_lowercase();
    let parameters = text.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim() == "charset");
    charsets.next().map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned()).filter(|charset| !charset.is_empty())
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// What is sent as gzip is none, or ends too early.
const NOT_GZIP: BodyFault = BodyFault("must be gzip, complete and without more behind it, as content-encoding says");

/// A body while it is inflated: never more of it at once than comes of a few bytes.
struct Inflating {
    body: BodyDataStream,
    /// What came and is not inflated yet.
    coming: Bytes,
    /// Until the body ends.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
    /// Whether anything came at all: nothing is no gzip, and no body.
    begun: bool,
}

fn inflated(body: Body) -> impl Stream<Item = Result<Bytes, axum::BoxError>> {
    let inflating = Inflating { body: body.into_data_stream(), coming: Bytes::new(), decoder: Some(MultiGzDecoder::new(Vec::new())), begun: false };
    stream::try_unfold(inflating, |mut inflating| async move { Ok(inflating.next().await?.map(|piece| (piece, inflating))) })
}

impl Inflating {
    async fn next(&mut self) -> Result<Option<Bytes>, axum::BoxError> {
        while let Some(decoder) = &mut self.decoder {
            if self.coming.is_empty() {
                match self.body.try_next().await? {
                    Some(more) => self.coming = more,
                    None => return self.end(),
                }
            } else {
                // A body that is much larger than what was sent takes its time, and others have theirs.
                tokio::task::coop::consume_budget().await;
            }
            let piece = self.coming.split_to(AT_ONCE.min(self.coming.len()));
            self.begun |= !piece.is_empty();
            if decoder.write_all(&piece).and_then(|()| decoder.flush()).is_err() {
                return Err(self.refused().await);
            }
            let made = std::mem::take(decoder.get_mut());
            if !made.is_empty() {
                return Ok(Some(made.into()));
            }
        }
        Ok(None)
    }

    /// It is no gzip. What is left of it is thrown away for a moment, so that its sender comes to read that.
    async fn refused(&mut self) -> axum::BoxError {
        self.decoder = None;
        let rest = std::mem::replace(&mut self.body, Body::empty().into_data_stream());
        body::discard(Body::from_stream(rest)).await;
        NOT_GZIP.into()
    }

    fn end(&mut self) -> Result<Option<Bytes>, axum::BoxError> {
        let Some(decoder) = self.decoder.take().filter(|_| self.begun) else { return Ok(None) };
        let last: io::Result<Vec<u8>> = decoder.finish();
        let last = last.map_err(|_| NOT_GZIP)?;
        Ok(Some(last.into()).filter(|last: &Bytes| !last.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use http_body_util::BodyExt;
    use proptest::prelude::*;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))).collect()
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).expect("room");
        encoder.finish().expect("room")
    }

    async fn inflate(sent: &[u8], at_once: usize) -> Result<Bytes, axum::Error> {
        let pieces: Vec<_> = sent.chunks(at_once.max(1)).map(|piece| Ok::<_, io::Error>(Bytes::copy_from_slice(piece))).collect();
        let request = Request::builder().header("content-encoding", "gzip").body(Body::from_stream(stream::iter(pieces))).expect("a request");
        let (parts, body) = decoded(request).await.expect("gzip is understood").into_parts();
        assert!(!parts.headers.contains_key(CONTENT_ENCODING));
        body.collect().await.map(|body| body.to_bytes())
    }

    type Pairs = &'static [(&'static str, &'static str)];

    #[test]
    fn what_headers_say_of_a_body_is_understood_or_named() {
        let right: [(Pairs, Coding); 12] = [
            (&[], Coding::Plain),
            (&[("content-encoding", "")], Coding::Plain),
            (&[("content-encoding", "identity")], Coding::Plain),
            (&[("content-encoding", "GZip")], Coding::Gzip),
            (&[("content-encoding", "identity, x-gzip")], Coding::Gzip),
            (&[("content-type", "application/json; Charset=\"UTF-8\"")], Coding::Plain),
            (&[("content-type", "text/plain;charset=us-ascii")], Coding::Plain),
            (&[("content-type", "application/json; charset='utf-8'")], Coding::Plain),
            (&[("content-type", "application/json; charset=")], Coding::Plain),
            (&[("content-type", "application/json; charset=\"\"")], Coding::Plain),
            (&[("transfer-encoding", "chunked"), ("content-encoding", "gzip")], Coding::Gzip),
            (&[("content-type", "multipart/form-data; boundary=charset")], Coding::Plain),
        ];
        for (pairs, coding) in right {
            assert_eq!(Coding::of(&headers(pairs)), Ok(coding), "{pairs:?}");
        }
        let coding = |name: &str| Err(Refusal::ContentCoding(name.into()));
        let wrong: [(Pairs, Result<Coding, Refusal>); 10] = [
            (&[("content-encoding", "br")], coding("br")),
            (&[("content-encoding", "deflate")], coding("deflate")),
            (&[("content-encoding", "aes128gcm")], coding("aes128gcm")),
            (&[("content-encoding", "gzip, gzip")], coding("gzip, gzip")),
            (&[("content-encoding", "gzip"), ("content-encoding", "zstd")], coding("gzip, zstd")),
            (&[("content-encoding", "utf-8")], coding("utf-8")),
            (&[("content-type", "application/json; charset=iso-8859-1")], Err(Refusal::Charset("iso-8859-1".into()))),
            (&[("content-type", "application/json; a=b; charset=UTF-16")], Err(Refusal::Charset("utf-16".into()))),
            (&[("transfer-encoding", "gzip, chunked")], Err(Refusal::TransferCoding("gzip".into()))),
            (&[("content-range", "bytes 0-1/2")], Err(Refusal::Malformed("content-range: must not be there; a body is sent whole".into()))),
        ];
        for (pairs, refusal) in wrong {
            let headers = pairs.iter().fold(HeaderMap::new(), |mut all, (name, value)| {
                all.append(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"));
                all
            });
            assert_eq!(Coding::of(&headers), refusal, "{pairs:?}");
        }
    }

    #[tokio::test]
    async fn what_is_not_there_needs_no_understanding() {
        for pairs in [[("content-encoding", "br"), ("content-type", "text/plain; charset=utf-16")], [("content-encoding", "gzip"), ("accept", "*/*")]]
        {
            let request = |body: Body| {
                let mut request = Request::new(body);
                *request.headers_mut() = headers(&pairs);
                request
            };
            let body = decoded(request(Body::empty())).await.expect("there is none").into_body();
            assert!(body.is_end_stream(), "{pairs:?}");
            let read = match decoded(request(Body::from("x"))).await {
                Ok(request) => request.into_body().collect().await.is_ok(),
                Err(_) => false,
            };
            assert!(!read, "{pairs:?}");
        }
    }

    #[tokio::test]
    async fn what_is_no_gzip_is_told() {
        let whole = gzip(b"{\"id\":\"a\"}");
        let cut = &whole[..whole.len() - 1];
        let more = [&whole[..], b"x"].concat();
        let mut bent = whole.clone();
        bent[whole.len() - 6] ^= 1;
        for wrong in [&b"{}"[..], &whole[..5], cut, &more, &bent] {
            let error = inflate(wrong, 3).await.expect_err("no gzip");
            assert!(BodyFault::below(&error).is_some(), "{wrong:?}");
        }
        assert_eq!(inflate(b"", 1).await.expect("nothing"), Bytes::new());
        assert_eq!(inflate(&[gzip(b"a"), gzip(b""), gzip(b"b")].concat(), 1).await.expect("members"), Bytes::from("ab"));
    }

    #[tokio::test]
    async fn little_is_inflated_ahead() {
        let zeros = vec![0; 64 << 20];
        let request = Request::builder().header("content-encoding", "gzip").body(Body::from(gzip(&zeros))).expect("a request");
        let mut body = decoded(request).await.expect("gzip").into_body();
        let mut longest = 0;
        while let Some(frame) = body.frame().await {
            longest = longest.max(frame.expect("gzip").into_data().expect("data").len());
        }
        assert!(longest <= AT_ONCE * 1100, "{longest}");
    }

    proptest! {
        #[test]
        fn whatever_is_compressed_comes_back(content in proptest::collection::vec(any::<u8>(), 0..5000), at_once in 1_usize..600) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            let inflated = runtime.block_on(inflate(&gzip(&content), at_once)).expect("gzip");
            prop_assert_eq!(&inflated[..], &content[..]);
        }
    }
}
