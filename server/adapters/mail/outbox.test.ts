import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutbox, listOutbox } from './index.ts'

let dir: string
let folder: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove outbox '))
  folder = path.join(dir, 'outbox')
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const from = 'Sungrove <mail@example.com>'
const mail = (subject: string) => ({ to: 'ann@example.com', subject, text: 'Hello' })

test('starts empty', async () => {
  expect(await listOutbox(folder)).toEqual([])
})

test('lists sent emails, newest first', async () => {
  const outbox = createOutbox({ folder, from })
  for (const subject of ['one', 'two', 'three']) await outbox.send(mail(subject))
  const mails = await listOutbox(folder)
  expect(mails.map(({ subject }) => subject)).toEqual(['three', 'two', 'one'])
  expect(mails[0]).toMatchObject({ from, to: 'ann@example.com', text: 'Hello' })
  expect((await listOutbox(folder, 1)).map(({ subject }) => subject)).toEqual(['three'])
})

test('stores an email’s own headers', async () => {
  const headers = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  await createOutbox({ folder, from }).send({ ...mail('one'), headers })
  expect((await listOutbox(folder))[0]).toMatchObject({ subject: 'one', headers })
})

test('stores an email’s attachments', async () => {
  const file = { filename: 'receipt.pdf', contentType: 'application/pdf' }
  await createOutbox({ folder, from }).send({ ...mail('one'), attachments: [{ ...file, content: Buffer.from('%PDF-1.7') }] })
  expect((await listOutbox(folder))[0]?.attachments).toEqual([{ ...file, content: Buffer.from('%PDF-1.7').toString('base64') }])
})

test('restricts its folder and files to the user who owns them', async () => {
  await createOutbox({ folder, from }).send(mail('secret'))
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of fs.readdirSync(folder)) expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
})

test('drops the oldest emails, even when many arrive together', async () => {
  const outbox = createOutbox({ folder, from, limit: 3 })
  for (const number of [1, 2, 3, 4, 5]) await outbox.send(mail(`${number}`))
  expect((await listOutbox(folder)).map(({ subject }) => subject)).toEqual(['5', '4', '3'])
  await Promise.all(Array.from({ length: 10 }, (_, i) => outbox.send(mail(`at once ${i}`))))
  await outbox.send(mail('last'))
  expect(fs.readdirSync(folder)).toHaveLength(3)
  expect((await listOutbox(folder))[0]?.subject).toBe('last')
})

test('skips files that aren’t valid emails', async () => {
  const outbox = createOutbox({ folder, from })
  await outbox.send(mail('ours'))
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'x')
  fs.writeFileSync(path.join(folder, '0190a1b2-0000-7000-8000-000000000000.json'), '{"subject":"half')
  fs.writeFileSync(path.join(folder, '0190a1b2-0000-7000-8000-000000000001.json'), '{"subject":"no text"}')
  expect((await listOutbox(folder)).map(({ subject }) => subject)).toEqual(['ours'])
})

test('deletes only the emails to or about a person', async () => {
  const outbox = createOutbox({ folder, from })
  await outbox.send(mail('one'))
  await outbox.send({ to: 'ben@example.com', subject: 'two', text: 'About account 7' })
  await outbox.send({ to: 'cleo@example.com', subject: 'three', text: 'Hello' })
  await outbox.send({ to: 'dee@example.com', subject: 'four', text: 'Someone wrote to you', about: ['account 7'] })
  expect(await outbox.forget(['ann@example.com', 'account 7'])).toBe(3)
  expect((await listOutbox(folder)).map(({ subject }) => subject)).toEqual(['three'])
})
