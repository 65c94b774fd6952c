import { expect } from 'vitest'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { TestApp, TestPerson } from './test-app.ts'

type CallContext = { test: TestApp; shop: { id: string }; keeper: TestPerson }

const chunkBytes = 1024 * 1024

/** The calls that import a menu file, as the page makes them. Each call gets its shop from `of`, because each test has its own. */
export function menuFileCalls(of: () => CallContext) {
  const imports = (rest = '') => `/api/businesses/${of().shop.id}/menu-imports${rest}`

  async function ok<Answer>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object): Promise<Answer> {
    const { test, keeper } = of()
    const answer = await test.request(method, url, keeper, payload)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.json() as Answer
  }

  const sendChunk = (id: string, offset: number, bytes: Buffer, as = of().keeper) =>
    of().test.app.inject({
      method: 'PUT',
      url: imports(`/${id}/bytes?offset=${offset}`),
      headers: { cookie: as.cookie, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })

  async function send(content: string | Buffer): Promise<MenuImport> {
    const bytes = Buffer.from(content as string)
    const begun = await ok<MenuImport>('POST', imports(), { fileName: 'menu.csv', byteSize: bytes.length })
    let answer = begun
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const sent = await sendChunk(begun.id, at, bytes.subarray(at, at + chunkBytes))
      expect(sent.statusCode, sent.body).toBe(200)
      answer = sent.json() as MenuImport
    }
    return answer
  }

  async function start({ id }: Pick<MenuImport, 'id'>): Promise<MenuImport> {
    await ok('POST', imports(`/${id}/start`))
    await of().test.runJobs()
    return ok('GET', imports(`/${id}`))
  }

  return { imports, ok, sendChunk, send, start }
}
