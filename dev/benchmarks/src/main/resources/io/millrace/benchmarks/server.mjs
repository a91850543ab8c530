// What a user writes without Millrace: one HTTP server that reads JSON and responds with JSON. It checks no login, has no time
// or memory limits, and counts nothing. It prints its port.

import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    let total = 0;
    for (const item of JSON.parse(Buffer.concat(parts)).items) total += item.price * item.quantity;
    const body = JSON.stringify({ total });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
