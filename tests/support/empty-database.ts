import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { administer, dropDatabase } from './administer.ts'

export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `sungrove_empty_${randomBytes(6).toString('hex')}`
  const server = inject('serverUrl')
  await administer(server, (admin) => admin.query(`create database ${name} template template0 encoding 'UTF8'`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, (admin) => dropDatabase(admin, name)) }
}
