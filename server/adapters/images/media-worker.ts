import { MediaRefused } from '../../kernel/media-maker.ts'
import { makePicture } from './make-picture.ts'
import { remuxVideo } from './remux-video.ts'
import type { Reply, Request, Task } from './worker-pool.ts'

/** What one of these processes may hold at most, decoders' memory included. */
const maxMemoryBytes = 1_200 * 1024 * 1024

const makers: Readonly<Record<Task, (bytes: Buffer) => Promise<unknown>>> = {
  picture: makePicture,
  video: remuxVideo,
  // Fetched with the first document: what reads them is larger than all the rest here.
  document: async (bytes) => (await import('./make-document.ts')).makeDocument(bytes),
}

/** The entry of the processes in which files of strangers are opened. It knows no secret and no database. */
process.on('message', async ({ id, task, bytes }: Request) => {
  const reply = (answer: Omit<Reply, 'id'>) => process.send?.({ id, ...answer } satisfies Reply)
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    reply({ made: await makers[task](file) })
  } catch (error) {
    reply(error instanceof MediaRefused ? { refused: error.message } : { failed: String(error) })
  }
})

// A key press in the terminal goes to the whole group; the server decides when this one ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

// The decoders work on threads of their own, so this comes to its turn while they do.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(70)
}, 100).unref()
