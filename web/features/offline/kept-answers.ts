import { offlineDb, type Viewer } from './offline-db.ts'

/** How long an answer is of use, how many are kept, and how much room they may take. */
const oldestMs = 30 * 24 * 60 * 60_000
const mostAnswers = 400
const mostSize = 20 * 1024 * 1024
/** A single answer larger than this is not kept: it would push all others out. */
const largestSize = 4 * 1024 * 1024

export type ReadAnswer = { data: unknown; readAt: number }

/** Keeps an answer, if the device is still that person's. The check and the writing are one step: a sign-out in between wins. */
export async function keepAnswer(account: string, key: string, data: unknown, now = Date.now()): Promise<void> {
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

/** What was read from one address, whatever it was asked with, the newest first. */
export async function readAnswersOf(account: string, path: string, now = Date.now()): Promise<unknown[]> {
  // Keys are JSON of lists that begin with the address: see queryKey.
  const start = JSON.stringify([path]).slice(0, -1)
  const range = IDBKeyRange.bound([account, `${start},`], [account, `${start},\uffff`])
  const answers = await (await offlineDb()).getAll('answers', range)
  return answers
    .filter(({ readAt }) => now - readAt < oldestMs)
    .sort((one, other) => other.readAt - one.readAt)
    .map(({ data }) => data)
}

/** The server says that there is no such thing, or not for this person: then there is none here either. */
export async function dropAnswer(account: string, key: string): Promise<void> {
  await (await offlineDb()).delete('answers', [account, key])
}

/** Makes the device that person's: what was kept of anybody else leaves it, and what is old or too much. */
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
    const isKept = answer.account === viewer.user.id && now - answer.readAt < oldestMs && count <= mostAnswers && size <= mostSize
    if (!isKept) await answers.delete([answer.account, answer.key])
  }
  await tx.done
}

export async function getViewer(): Promise<Viewer | null> {
  return (await (await offlineDb()).get('viewer', 'viewer')) ?? null
}

/** Of a device that is still that person's: an old tab must not make it theirs again. */
export async function changeLook(account: string, look: Omit<Viewer, 'user'>): Promise<void> {
  const store = (await offlineDb()).transaction('viewer', 'readwrite').store
  const viewer = await store.get('viewer')
  if (viewer?.user.id === account) await store.put({ ...viewer, ...look }, 'viewer')
}

/** Nobody is signed in here any more, or somebody else: no answer stays. What waits to be sent stays, for the account that wrote it. */
export async function forgetViewer(): Promise<void> {
  const tx = (await offlineDb()).transaction(['viewer', 'answers'], 'readwrite')
  await Promise.all([tx.objectStore('viewer').clear(), tx.objectStore('answers').clear(), tx.done])
}

/** The same, and what waits of that account is thrown away with its photos. */
export async function forgetAccount(account: string): Promise<void> {
  await forgetViewer()
  const tx = (await offlineDb()).transaction(['writes', 'files'], 'readwrite')
  for (const write of await tx.objectStore('writes').index('account').getAll(account)) {
    await tx.objectStore('writes').delete(write.seq)
    for (const { key } of write.photos) await tx.objectStore('files').delete(key)
  }
  await tx.done
}
