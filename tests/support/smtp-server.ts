import net, { type AddressInfo } from 'node:net'

export type ReceivedMail = { from: string; to: string[]; data: string }

export type SmtpServer = {
  url: string
  received: ReceivedMail[]
  connections(): number
  /** `silent` accepts connections and sends nothing; `stuck` only greets. A change applies only to new connections. */
  mood: 'willing' | 'silent' | 'stuck'
  answer: string
  close(): Promise<void>
}

export async function startSmtpServer(port = 0): Promise<SmtpServer> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  const server = net.createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (smtp.mood === 'silent') return
    socket.write('220 test\r\n')
    if (smtp.mood === 'willing') handleConnection(socket, smtp)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    connections: () => connections,
    mood: 'willing',
    answer: '250 taken',
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return smtp
}

function handleConnection(socket: net.Socket, smtp: SmtpServer): void {
  let current: ReceivedMail = { from: '', to: [], data: '' }
  let isData = false
  let buffer = ''
  socket.on('data', (chunk) => {
    buffer += chunk
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (isData && line === '.') {
        isData = false
        smtp.received.push(current)
        current = { from: '', to: [], data: '' }
        socket.write(`${smtp.answer}\r\n`)
      } else if (isData) current.data += `${line}\n`
      else if (/^(EHLO|HELO)/i.test(line)) socket.write('250 test\r\n')
      else if (/^MAIL FROM:/i.test(line)) {
        current.from = line.slice(10)
        socket.write('250 ok\r\n')
      } else if (/^RCPT TO:/i.test(line)) {
        current.to.push(line.slice(8))
        socket.write('250 ok\r\n')
      } else if (/^DATA/i.test(line)) {
        isData = true
        socket.write('354 go on\r\n')
      } else socket.write('250 ok\r\n')
    }
  })
}
