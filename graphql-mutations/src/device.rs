//! What the documented API has no operation for: devices and sign-ins.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::date::Timestamp;
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::id::{AccountId, DeviceId};
use graph_schema::json_object::JsonObject;
use graphql_http::asking::{asking, check_items};
use graphql_http::refused::refused;

/// A device.
#[derive(InputObject)]
pub struct DeviceInput {
    /// The id of the device in the sender's system. The same id again updates the device.
    id: DeviceId,
    /// Such as `PHONE` or `POS`.
    #[graphql(name = "type")]
    kind: Option<String>,
    /// Whether the device must not be used any more.
    blocked: Option<bool>,
    /// Attributes of the device, as a JSON object of the sender's own.
    metadata: Option<JsonObject>,
}

/// A sign-in to an account from a device.
#[derive(InputObject)]
pub struct SignInInput {
    /// The device that was used. A device that is not known yet is created by its id.
    device_id: DeviceId,
    /// The account that was signed in to. Its record may come later.
    account_id: AccountId,
    /// The time of the sign-in.
    at: Timestamp,
    /// The IPv4 or IPv6 address that the sign-in came from; null when it is not known.
    ip_address: Option<String>,
}

#[derive(Default)]
pub struct DeviceMutation;

#[Object]
impl DeviceMutation {
    /// Stores 1 to 500 devices, or updates them; answers with how many.
    async fn record_devices(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The devices, 1 to 500 of them.")] devices: Vec<DeviceInput>,
    ) -> Result<usize> {
        let (resolvers, caller) = asking(context)?;
        check_items("devices", devices.len()).map_err(refused)?;
        let writes = devices.into_iter().map(|device| {
            let record = DeviceRecord { id: device.id, kind: device.kind, blocked: device.blocked, metadata: device.metadata };
            resolvers.add_device(caller, record)
        });
        Ok(futures::future::try_join_all(writes).await.map_err(refused)?.len())
    }

    /// Stores 1 to 500 sign-ins; the same again changes nothing. Answers with how many.
    async fn record_sign_ins(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The sign-ins, 1 to 500 of them.")] sign_ins: Vec<SignInInput>,
    ) -> Result<usize> {
        let (resolvers, caller) = asking(context)?;
        check_items("signIns", sign_ins.len()).map_err(refused)?;
        let writes = sign_ins.into_iter().map(|sign_in| {
            let SignInInput { device_id, account_id, at, ip_address } = sign_in;
            resolvers.add_sign_in(caller, SignInRecord { device_id, account_id, at, ip_address })
        });
        Ok(futures::future::try_join_all(writes).await.map_err(refused)?.len())
    }
}
