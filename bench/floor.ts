import http from 'node:http'

/**
 * The floor: Node's bare HTTP server answering a constant of the given size. What a route costs beyond this is ours.
 * Run as a process of its own, like the server that it is compared with: `node bench/floor.ts BYTES`; prints its port.
 */
const body = 'x'.repeat(Number(process.argv[2]))
const server = http.createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
