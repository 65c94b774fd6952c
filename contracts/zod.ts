import { config } from 'zod/mini'

// The pages' content security policy forbids the code Zod would generate for speed; the server may use it.
if ('document' in globalThis) config({ jitless: true })

export * from 'zod/mini'
