import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { createAdmin, promoteToAdmin } from '#server/features/accounts/index.ts'
import { type AccountsApp, goodPassword, registration, sessionCookieOf, startAccountsApp } from './support/accounts-app.ts'

describe('an admin', () => {
  let t: AccountsApp
  beforeAll(async () => {
    t = await startAccountsApp({ EMAIL_VERIFICATION: 'required' })
  })
  afterAll(() => t.close())

  const currentUser = async (credentials: { email: string; password: string }) => {
    const cookie = sessionCookieOf(await t.post('/api/login', credentials)) as string
    return (await t.get('/api/auth/user', { cookie })).json()
  }

  test('can sign in immediately, because the operator vouches for the address', async () => {
    const admin = registration()
    expect(await createAdmin(t.ctx, admin)).toBe(true)
    expect(await currentUser(admin)).toMatchObject({ role: 'admin', isEmailVerified: true, firstName: 'Robin', hasConfirmedAge: true })
  })

  test('isn’t created from an existing account, which must be promoted instead', async () => {
    const member = registration()
    await t.post('/api/register', member)
    await t.db.updateTable('users').set({ email_verified: true }).where('email', '=', member.email).execute()
    expect(await createAdmin(t.ctx, { ...member, password: 'another set of seven terraces' })).toBe(false)
    expect(await currentUser(member)).toMatchObject({ role: 'member' })
    expect(await promoteToAdmin(t.db, member.email, t.clock)).toBe(true)
    expect(await currentUser(member)).toMatchObject({ role: 'admin' })
    expect(await promoteToAdmin(t.db, 'no-one@example.com', t.clock)).toBe(false)
  })

  test('can’t be an account that may belong to someone else, or one that can’t have a role', async () => {
    const member = registration()
    await t.post('/api/register', member)
    const promote = () => promoteToAdmin(t.db, member.email, t.clock)
    const set = (values: object) => t.db.updateTable('users').set(values).where('email', '=', member.email).execute()
    await expect(promote()).rejects.toThrow('never confirmed, so the account may be someone else')
    await set({ email_verified: true, is_demo: true })
    await expect(promote()).rejects.toThrow('demo account')
    await set({ is_demo: false, banned_at: t.clock.now() })
    await expect(promote()).rejects.toThrow('suspended')
    await set({ banned_at: null, leaves_at: t.clock.now() })
    await expect(promote()).rejects.toThrow('being deleted')
    const roles = await t.db.selectFrom('users').select('role').where('email', '=', member.email).execute()
    expect(roles).toEqual([{ role: 'member' }])
  })

  test('must be of legal age and have a strong password, like everyone else', async () => {
    await expect(createAdmin(t.ctx, registration({ birthday: '2020-01-01' }))).rejects.toThrow('18 years')
    await expect(createAdmin(t.ctx, registration({ password: 'password1' }))).rejects.toThrow('common')
  })
})

describe('npm run admin:create', () => {
  let dataDir: string
  beforeAll(() => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove admin '))
  })
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

  function run(args: string[], { password, input = '' }: { password?: string; input?: string } = {}) {
    return new Promise<{ code: number | null; output: string }>((resolve) => {
      const child = spawn(process.execPath, [path.join(projectRoot, 'server/commands/create-admin.ts'), ...args], {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DATA_DIR: dataDir,
          ...(password ? { ADMIN_PASSWORD: password } : {}),
        },
      })
      let output = ''
      const collect = (chunk: Buffer) => {
        output += chunk
      }
      child.stdout.on('data', collect)
      child.stderr.on('data', collect)
      child.on('close', (code) => resolve({ code, output }))
      child.stdin.end(input)
    })
  }

  const ann = ['--email', 'Ann@Example.com', '--name', 'Ann Marie Gardener', '--birthday', '1990-04-01']

  test('reports a typo before starting anything', async () => {
    expect(await run([])).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run admin:create') })
    expect(await run(['--mail', 'a@b.c'])).toMatchObject({ code: 1, output: expect.stringContaining('--mail') })
    expect(await run(['--email', 'ann@example.com'])).toMatchObject({ code: 1, output: expect.stringContaining('add --birthday') })
    expect(fs.readdirSync(dataDir)).toEqual([])
  })

  test('creates the first admin with a password from standard input, and promotes existing accounts', async () => {
    const weak = await run(ann, { password: 'password1' })
    expect(weak).toMatchObject({ code: 1, output: expect.stringContaining('common') })
    const made = await run(ann, { input: `${goodPassword}\n` })
    expect(made.output).toContain('Created an admin: ann@example.com. Sign in at http://localhost:3000/auth')
    expect(made.code).toBe(0)
    expect(made.output).not.toContain(goodPassword)
    expect(await run(ann, { password: goodPassword })).toMatchObject({ code: 1, output: expect.stringContaining('Add --promote') })
    expect(await run([...ann, '--promote'])).toMatchObject({
      code: 0,
      output: 'ann@example.com is now an admin, with a second factor to set up at http://localhost:3000/admin\n',
    })
  }, 120_000)
})
