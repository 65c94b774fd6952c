import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import { hashSessionToken } from './session-token.ts'

type Row = { token?: unknown }
type Creation<T> = { model: string; data: Omit<T, 'id'>; select?: string[] | undefined; forceAllowId?: boolean | undefined }

const isSession = (model: string) => model === 'session' || model === 'sessions'

/**
 * better-auth's database adapter, but for one thing: it stores the SHA-256 of a session's token and finds sessions by it.
 * better-auth itself goes on with the plain token, which then lives in the cookie alone.
 */
export function withHashedSessionTokens(adapter: DBAdapter): DBAdapter {
  return { ...adapter, ...hashing(adapter), transaction: (run) => adapter.transaction((tx) => run({ ...tx, ...hashing(tx) })) }
}

function hashing(inner: DBTransactionAdapter): Partial<DBTransactionAdapter> {
  return {
    async create<T extends Record<string, unknown>, R = T>(call: Creation<T>) {
      if (!isSession(call.model)) return inner.create<T, R>(call)
      const created = await inner.create<T, R>({ ...call, data: hashToken(call.data) })
      return { ...created, token: (call.data as Row).token }
    },
    async findOne<T>(call: Parameters<DBAdapter['findOne']>[0]) {
      if (!isSession(call.model)) return inner.findOne<T>(call)
      const found = await inner.findOne<T>({ ...call, where: hashTokens(call.where) })
      return found && restoreToken(found, call.where)
    },
    async findMany<T>(call: Parameters<DBAdapter['findMany']>[0]) {
      if (!isSession(call.model)) return inner.findMany<T>(call)
      const found = await inner.findMany<T>({ ...call, where: hashTokens(call.where) })
      return found.map((row) => restoreToken(row, call.where))
    },
    async update<T>(call: Parameters<DBAdapter['update']>[0]) {
      if (!isSession(call.model)) return inner.update<T>(call)
      const updated = await inner.update<T>({ ...call, where: hashTokens(call.where), update: hashToken(call.update) })
      return updated && restoreToken(updated, call.where)
    },
    updateMany: (call) =>
      inner.updateMany(isSession(call.model) ? { ...call, where: hashTokens(call.where), update: hashToken(call.update) } : call),
    delete: (call) => inner.delete(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
    deleteMany: (call) => inner.deleteMany(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
    count: (call) => inner.count(isSession(call.model) ? { ...call, where: hashTokens(call.where) } : call),
  }
}

const hash = (value: unknown) => (typeof value === 'string' ? hashSessionToken(value) : value)

const hashToken = <Data extends object>(data: Data): Data => ('token' in data ? { ...data, token: hash(data.token) } : data)

function hashTokens<W extends Where[] | undefined>(where: W): W {
  return where?.map((clause) => {
    if (clause.field !== 'token') return clause
    return { ...clause, value: Array.isArray(clause.value) ? clause.value.map(hash) : hash(clause.value) } as Where
  }) as W
}

/** The plain token again, where the caller has shown that it knows it. */
function restoreToken<T>(row: T, where: Where[] | undefined): T {
  const known = where?.filter((clause) => clause.field === 'token').flatMap((clause) => clause.value as string | string[]) ?? []
  const token = known.find((each) => hashSessionToken(each) === (row as Row).token)
  return token === undefined ? row : { ...row, token }
}
