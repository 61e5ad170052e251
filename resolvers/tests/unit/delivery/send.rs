use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::Utc;
use resolvers::Reach;
use resolvers::testing::delivery::address::{Lookup, Resolver};
use resolvers::testing::delivery::send::{Message, Sender};
use resolvers::testing::delivery::verdict::Answered;
use resolvers::testing::webhook::secret::WebhookSecret;
use standardwebhooks::Webhook as Signer;

fn message(url: String) -> Message {
    let data = r#"{"id":"c"}"#.into();
    let secrets = vec![WebhookSecret::random().unwrap()];
    Message { url, event_id: "e\"1".to_owned(), event_name: "case.updated".to_owned(), created_at: 17, data, secrets }
}

/// A listener on this machine, and whether anybody has connected to it.
async fn listener() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, connected) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&connected);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    (address, connected)
}

#[test]
fn the_body_is_the_documents_envelope() {
    assert_eq!(message(String::new()).body(), r#"{"id":"e\"1","name":"case.updated","createdAt":17,"data":{"id":"c"}}"#);
}

#[test]
fn while_a_secret_is_replaced_both_sign() {
    let mut message = message(String::new());
    message.secrets.push(WebhookSecret::random().unwrap());
    let (at, body) = (Utc::now().timestamp(), message.body());
    let signatures = message.signatures(at, &body).unwrap();
    assert_eq!(signatures.split(' ').count(), 2);
    for secret in &message.secrets {
        let signer = Signer::new(&secret.reveal()).unwrap();
        assert!(signatures.contains(&signer.sign(&message.event_id, at, body.as_bytes()).unwrap()));
    }
}

#[tokio::test]
async fn a_name_that_leads_to_the_internet_first_and_inside_next_gains_nothing() {
    let (address, connected) = listener().await;
    let looked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&looked);
    let lookup: Lookup = Arc::new(move |_| {
        // To an address where nobody answers, and to this machine from then on.
        let first = counted.fetch_add(1, Ordering::Relaxed) == 0;
        let found = if first { Ipv4Addr::new(192, 31, 195, 1) } else { Ipv4Addr::LOCALHOST };
        Box::pin(async move { Ok(vec![SocketAddr::from((found, 0))]) })
    });
    let sender = Sender::new(Reach::Internet, Resolver::with(Reach::Internet, lookup), Duration::from_secs(3)).unwrap();
    let message = message(format!("https://receiver.example:{}/", address.port()));
    sender.attempt(&message).await.unwrap();
    let second = sender.attempt(&message).await.unwrap();
    assert_eq!(looked.load(Ordering::Relaxed), 2, "each connection looks for itself");
    assert_eq!(second.answered, Answered::NotAtAll);
    assert_eq!(second.attempt.problem.as_deref(), Some("the name leads to 127.0.0.1, which is no address on the internet"));
    assert_eq!(connected.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_name_with_one_address_inside_is_not_connected_to_at_all() {
    let (address, connected) = listener().await;
    let addresses = [Ipv4Addr::new(192, 31, 195, 1), Ipv4Addr::LOCALHOST].map(|address| SocketAddr::from((address, 0)));
    let lookup: Lookup = Arc::new(move |_| Box::pin(async move { Ok(addresses.to_vec()) }));
    let sender = Sender::new(Reach::Internet, Resolver::with(Reach::Internet, lookup), Duration::from_secs(5)).unwrap();
    let attempted = sender.attempt(&message(format!("https://receiver.example:{}/", address.port()))).await.unwrap();
    assert_eq!(attempted.answered, Answered::NotAtAll);
    assert_eq!(connected.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn addresses_inside_are_not_connected_to() {
    let (address, connected) = listener().await;
    let sender = Sender::new(Reach::Internet, Resolver::system(Reach::Internet), Duration::from_secs(5)).unwrap();
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"] {
        let attempted = sender.attempt(&message(format!("https://{host}:{}/", address.port()))).await.unwrap();
        assert_eq!(attempted.answered, Answered::NotAtAll, "{host}");
        let problem = attempted.attempt.problem.unwrap_or_default();
        assert!(problem.contains("no address on the internet"), "{host}: {problem}");
    }
    assert_eq!(connected.load(Ordering::Relaxed), 0);
}
