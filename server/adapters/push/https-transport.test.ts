import { expect, it } from 'vitest'
import { httpsTransport } from './https-transport.ts'

it.each(['https://127.0.0.1/x', 'https://[::ffff:10.0.0.1]/x', 'https://localhost/x', 'https://2130706433/x', 'http://push.example.com/x'])(
  'does not connect to %s',
  async (url) => {
    const request = { url, method: 'POST', headers: {}, body: Buffer.alloc(0) }
    await expect(httpsTransport(request)).rejects.toThrow('is not a public address')
  },
)
