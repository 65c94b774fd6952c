import { dayMs } from '#contracts/time.ts'
import { offlineDb, type Viewer } from './offline-db.ts'

const oldestMs = 30 * dayMs
const maxAnswers = 400
const maxBytes = 20 * 1024 * 1024
/** Larger responses aren't stored, because they would evict many others. */
const largestSize = 4 * 1024 * 1024

export type ReadAnswer = { data: unknown; readAt: number }

/** Does nothing if the device no longer belongs to the account. Check and write are atomic, so a concurrent sign-out wins. */
export async function cacheAnswer(account: string, key: string, data: unknown, now = Date.now()): Promise<void> {
  const size = JSON.stringify(data)?.length ?? 0
  if (size > largestSize) return
  const tx = (await offlineDb()).transaction(['viewer', 'answers'], 'readwrite')
  const viewer = await tx.objectStore('viewer').get('viewer')
  if (viewer?.user.id === account) await tx.objectStore('answers').put({ account, key, data, readAt: now, size })
  await tx.done
}

export async function readAnswer(account: string, key: string, now = Date.now()): Promise<ReadAnswer | null> {
  const answer = await (await offlineDb()).get('answers', [account, key])
  return answer && now - answer.readAt < oldestMs ? { data: answer.data, readAt: answer.readAt } : null
}

/** Stored responses of the path for all inputs, newest first. */
export async function readAnswersOf(account: string, path: string, now = Date.now()): Promise<unknown[]> {
  // Except for a list's later pages, keys are JSON arrays starting with the path; see queryKey.
  const start = JSON.stringify([path]).slice(0, -1)
  const range = IDBKeyRange.bound([account, `${start},`], [account, `${start},\uffff`])
  const answers = await (await offlineDb()).getAll('answers', range)
  return answers
    .filter(({ readAt }) => now - readAt < oldestMs)
    .sort((one, other) => other.readAt - one.readAt)
    .map(({ data }) => data)
}

/** Call after a 403 or 404. */
export async function dropAnswer(account: string, key: string): Promise<void> {
  await (await offlineDb()).delete('answers', [account, key])
}

/** Deletes other accounts' responses, expired ones, and those over the limit. */
export async function setViewer(viewer: Viewer, now = Date.now()): Promise<void> {
  const tx = (await offlineDb()).transaction(['viewer', 'answers'], 'readwrite')
  await tx.objectStore('viewer').put(viewer, 'viewer')
  const answers = tx.objectStore('answers')
  const newestFirst = (await answers.getAll()).sort((one, other) => other.readAt - one.readAt)
  let count = 0
  let size = 0
  for (const answer of newestFirst) {
    count++
    size += answer.size
    const isCurrent = answer.account === viewer.user.id && now - answer.readAt < oldestMs && count <= maxAnswers && size <= maxBytes
    if (!isCurrent) await answers.delete([answer.account, answer.key])
  }
  await tx.done
}

export async function getViewer(): Promise<Viewer | null> {
  return (await (await offlineDb()).get('viewer', 'viewer')) ?? null
}

/** Does nothing if the device no longer belongs to the account, so an old tab can't reclaim it. */
export async function changeLook(account: string, look: Omit<Viewer, 'user'>): Promise<void> {
  const store = (await offlineDb()).transaction('viewer', 'readwrite').store
  const viewer = await store.get('viewer')
  if (viewer?.user.id === account) await store.put({ ...viewer, ...look }, 'viewer')
}

/** Call after sign-out. Keeps pending writes, which belong to the account that made them. */
export async function forgetViewer(): Promise<void> {
  const tx = (await offlineDb()).transaction(['viewer', 'answers'], 'readwrite')
  await Promise.all([tx.objectStore('viewer').clear(), tx.objectStore('answers').clear(), tx.done])
}

/** Like {@link forgetViewer}, but also discards the account's pending writes and photos. */
export async function forgetAccount(account: string): Promise<void> {
  await forgetViewer()
  const tx = (await offlineDb()).transaction(['writes', 'files'], 'readwrite')
  for (const write of await tx.objectStore('writes').index('account').getAll(account)) {
    await tx.objectStore('writes').delete(write.seq)
    for (const { key } of write.photos) await tx.objectStore('files').delete(key)
  }
  await tx.done
}
