//! Operations on devices and sign-ins: GraphQL and import only, the document has none for them.

use cypher::{Value, map};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::identity;

use crate::policy::{Action, may};
use crate::simple::SimpleWrite;
use crate::transaction::identity_map;
use crate::{Caller, Inner, Resolvers, Result};

impl Resolvers {
    /// Stores a device, or updates it.
    pub async fn add_device(&self, caller: &Caller, device: DeviceRecord) -> Result<()> {
        may(caller, Action::Ingest)?;
        self.inner.writers.devices.write(self.inner.device_write(caller, &device)).await?;
        Ok(())
    }

    /// Stores a sign-in; the same again changes nothing.
    pub async fn add_sign_in(&self, caller: &Caller, sign_in: SignInRecord) -> Result<()> {
        may(caller, Action::Ingest)?;
        self.inner.writers.sign_ins.write(self.inner.sign_in_write(caller, &sign_in)).await?;
        Ok(())
    }
}

impl Inner {
    pub(crate) fn device_write(&self, caller: &Caller, device: &DeviceRecord) -> SimpleWrite {
        let id = device.id.as_str();
        let name = device.kind.as_ref().map_or_else(|| id.to_owned(), |kind| format!("{kind} {id}"));
        let props = map([
            ("name", name.into()),
            ("kind", device.kind.as_deref().into()),
            ("blocked", device.blocked.into()),
            ("metadata", device.metadata.as_ref().map(|data| data.as_str()).into()),
            ("recordedAt", self.clock.now().millis().into()),
        ]);
        SimpleWrite {
            key: id.to_owned(),
            row: map([("id", id.into()), ("props", props)]),
            trail: self.trail(caller, "Device", id, "device.recorded"),
        }
    }

    pub(crate) fn sign_in_write(&self, caller: &Caller, sign_in: &SignInRecord) -> SimpleWrite {
        let device = sign_in.device_id.as_str();
        let account = sign_in.account_id.as_str();
        let ips = sign_in.ip_address.as_deref().and_then(identity::ip);
        let row = map([
            ("device", device.into()),
            ("account", account.into()),
            ("at", sign_in.at.millis().into()),
            ("ips", Value::List(ips.iter().map(identity_map).collect())),
        ]);
        SimpleWrite {
            key: format!("{device}\n{account}\n{}", sign_in.at.millis()),
            row,
            trail: self.trail(caller, "Device", device, "device.signed_in"),
        }
    }
}
