import { config } from 'zod/mini'

// In a page the content security policy forbids the code that Zod would generate to be faster; the server may use it.
if ('document' in globalThis) config({ jitless: true })
