import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database without a table, as somebody just created it. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `sungrove_empty_${randomBytes(6).toString('hex')}`
  const administer = async (statement: string) => {
    const client = new pg.Client(inject('serverUrl'))
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await administer(`create database ${name} template template0 encoding 'UTF8'`)
  const url = new URL(inject('serverUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}
