import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSmtpMailer } from './smtp.ts'

type Received = { from: string; to: string[]; data: string }

const servers: net.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** As much of a mail server as a client needs. */
async function startServer(answers: { data?: string } = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = net.createServer((socket) => {
    let current: Received = { from: '', to: [], data: '' }
    let isData = false
    let buffer = ''
    socket.write('220 test\r\n')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      buffer += chunk
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        if (isData && line === '.') {
          isData = false
          received.push(current)
          current = { from: '', to: [], data: '' }
          socket.write(`${answers.data ?? '250 taken'}\r\n`)
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
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const mail = {
  to: 'ann@example.com',
  subject: 'Sungrove: confirm your email address',
  text: 'Open this link:\n\nhttps://grove.example/auth/verify?token=a.b\n',
}

test('hands a mail over', async () => {
  const { url, received } = await startServer()
  const mailer = createSmtpMailer({ smtpUrl: url, from: '"Leaf, Inc." <mail@grove.example>' })
  await mailer.send({
    ...mail,
    headers: { 'List-Unsubscribe': '<https://grove.example/u/1>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  await mailer.close()
  expect(received).toHaveLength(1)
  const [{ from, to, data }] = received as [Received]
  expect(from).toBe('<mail@grove.example>')
  expect(to).toEqual(['<ann@example.com>'])
  expect(data).toContain('From: "Leaf, Inc." <mail@grove.example>')
  expect(data).toContain('Auto-Submitted: auto-generated')
  expect(data).toContain('List-Unsubscribe: <https://grove.example/u/1>')
  expect(data).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(data).toContain('https://grove.example/auth/verify?token=a.b')
})

test('an address cannot become two recipients, nor a header', async () => {
  const { url, received } = await startServer()
  const mailer = createSmtpMailer({ smtpUrl: url, from: 'mail@grove.example' })
  await mailer.send({ ...mail, to: 'ann@example.com, eve@example.com', subject: 'Hello\r\nBcc: eve@example.com' }).catch(() => {})
  await mailer.close()
  for (const { to, data } of received) {
    expect(to.length).toBeLessThanOrEqual(1)
    expect(to).not.toContain('<eve@example.com>')
    expect(data).not.toMatch(/^Bcc:/m)
  }
})

test('a mail that was not taken is an error, so that the job tries again', async () => {
  const { url } = await startServer({ data: '451 try later' })
  const refused = createSmtpMailer({ smtpUrl: url, from: 'mail@grove.example' })
  await expect(refused.send(mail)).rejects.toThrow(/451/)
  await refused.close()
  const away = createSmtpMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'mail@grove.example' })
  await expect(away.send(mail)).rejects.toThrow(/ECONNREFUSED/)
  await away.close()
})
