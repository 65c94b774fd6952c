import { MediaRefused } from '#server/kernel/media-maker.ts'
import { makePicture } from './make-picture.ts'
import { remuxVideo } from './remux-video.ts'
import type { Reply, Request, Task } from './worker-pool.ts'

/** Memory limit per process, including decoders. */
const maxMemoryBytes = 1_200 * 1024 * 1024

const makers: Readonly<Record<Task, (bytes: Buffer) => Promise<unknown>>> = {
  picture: makePicture,
  video: remuxVideo,
  // Loaded with the first document, because pdf-lib is larger than everything else here.
  document: async (bytes) => (await import('./make-document.ts')).makeDocument(bytes),
}

// Entry point of the processes that open untrusted files. They have no secrets and no database.
process.on('message', async ({ id, task, bytes }: Request) => {
  const reply = (answer: Omit<Reply, 'id'>) => process.send?.({ id, ...answer } satisfies Reply)
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    reply({ made: await makers[task](file) })
  } catch (error) {
    reply(error instanceof MediaRefused ? { refused: error.message } : { failed: String(error) })
  }
})

// Ctrl-C signals the whole process group; the server decides when this process ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

// Decoders run on their own threads, so this timer fires while they work.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(70)
}, 100).unref()
