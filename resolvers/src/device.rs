//! Operations on devices and sign-ins: GraphQL and import only, the document has none for them.

use cypher::{Value, map, statements};
use graph_schema::device::{DeviceRecord, SignInRecord};

use crate::policy::{Action, Permit, Subject};
use crate::queue::{LockHint, Put, Rank, Write};
use crate::values::identity_map;
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

impl Resolvers {
    /// Stores a device, or updates it.
    #[boxed]
    pub async fn add_device(&self, caller: &Caller, device: DeviceRecord) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Device", device.id.as_str()))?;
        self.inner.queue.write(&RECORD_DEVICE, self.inner.device_write(&permit, &device)?).await
    }

    /// Stores a sign-in; the same again changes nothing.
    #[boxed]
    pub async fn add_sign_in(&self, caller: &Caller, sign_in: SignInRecord) -> Result<()> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Device", sign_in.device_id.as_str()))?;
        self.inner.queue.write(&SIGN_IN, self.inner.sign_in_write(&permit, &sign_in)?).await
    }
}

pub static RECORD_DEVICE: Put = Put::of(statements::device::RECORD, Rank::Record);
pub(crate) static SIGN_IN: Put = Put::of(statements::device::SIGN_IN, Rank::Relation);

impl Inner {
    /// A placeholder is the id of no device: whoever had it would be linked with all others who have.
    fn one_device(&self, at: &'static str, id: &str) -> Result<()> {
        let is_one = self.identities.device(id).is_some();
        is_one.then_some(()).ok_or_else(|| Error::invalid(at, "must be the id of one device, and not a placeholder that many records have"))
    }

    pub(crate) fn device_write(&self, permit: &Permit<'_>, device: &DeviceRecord) -> Result<Write<Value>> {
        let id = device.id.as_str();
        self.one_device("id", id)?;
        let name = device.kind.as_ref().map_or_else(|| id.to_owned(), |kind| format!("{kind} {id}"));
        let props = map([
            ("name", name.into()),
            ("kind", device.kind.as_deref().into()),
            ("blocked", device.blocked.into()),
            ("metadata", device.metadata.as_ref().map(|data| data.as_str()).into()),
            ("recordedAt", self.clock.now().millis().into()),
        ]);
        Ok(Write::new(map([("id", id.into()), ("props", props)]), self.entry(permit, "Device", id, "device.recorded")))
    }

    pub(crate) fn sign_in_write(&self, permit: &Permit<'_>, sign_in: &SignInRecord) -> Result<Write<Value>> {
        let device = sign_in.device_id.as_str();
        self.one_device("device_id", device)?;
        let account = sign_in.account_id.as_str();
        let ips = sign_in.ip_address.as_deref().and_then(|ip| self.identities.ip(ip));
        let row = map([
            ("device", device.into()),
            ("account", account.into()),
            ("at", sign_in.at.millis().into()),
            ("ips", Value::List(ips.iter().map(identity_map).collect())),
        ]);
        let locks = ips.iter().map(|ip| LockHint::of("IpAddress", &ip.id)).chain([LockHint::of("Account", account)]);
        Ok(Write::new(row, self.entry(permit, "Device", device, "device.signed_in")).locking(locks))
    }
}
