import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = []
  write(createLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) }))
  return lines
}

describe('createLog', () => {
  it('writes one JSON object per line, with the level’s name and an ISO time', () => {
    const [line] = logged((log) => log.info({ status: 200 }, 'request'))
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 'info', msg: 'request', status: 200 })
    expect(JSON.parse(line ?? '').time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('redacts secrets at any depth and in any spelling', () => {
    const [line = ''] = logged((log) =>
      log.info({
        headers: { cookie: 'hush-1', Authorization: 'hush-2', 'set-cookie': ['hush-3'] },
        password: 'hush-4',
        body: { account: { new_password: 'hush-5', sessions: [{ token: 'hush-6' }] } },
        mail: { to: 'a@b.example', html: 'hush-7', text: 'hush-8' },
      }),
    )
    expect(line).not.toContain('hush')
    expect(line).toContain('a@b.example')
  })

  it('describes an error without the row quoted by PostgreSQL', () => {
    const cause = Object.assign(new Error('duplicate key value'), { code: '23505', detail: 'Key (email)=(a@b.example) exists' })
    const [line = ''] = logged((log) => log.error({ err: new Error('could not save', { cause }) }, 'failed'))
    expect(JSON.parse(line).err).toMatchObject({ message: 'could not save', cause: { code: '23505', message: 'duplicate key value' } })
    expect(line).not.toContain('a@b.example')
  })

  it('drops entries below the level', () => {
    expect(logged((log) => log.debug('detail'))).toEqual([])
  })
})
