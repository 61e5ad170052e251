// Takes one webhook request, verifies it as a receiver in JavaScript would, and says so.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const secret = readFileSync("javascript.secret", "utf8").trim();
    // Throws where it is not genuine.
    const event = new Webhook(secret).verify(Buffer.concat(chunks).toString("utf8"), request.headers);
    response.writeHead(204).end(() => {
      console.log(`verified in JavaScript: ${event.name} ${event.data.id}`);
      process.exit(0);
    });
  });
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
