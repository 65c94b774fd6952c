import { config } from 'zod/mini'

// The pages' content security policy forbids the code that Zod generates for speed. The server may use it.
if ('document' in globalThis) config({ jitless: true })

export * from 'zod/mini'
