import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'

type Compile = Parameters<FastifyInstance['setSerializerCompiler']>[0]

/** What Fastify itself compiles with, which is its package and not one of ours. */
const requireOfFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
const { SerializerSelector } = requireOfFastify('@fastify/fast-json-stringify-compiler') as {
  SerializerSelector(): (schemas: object, options: object) => Compile
}
const compile = SerializerSelector()({}, {})
const compiled = new WeakMap<object, ReturnType<Compile>>()

/** Answers are written as everywhere; by what was compiled once in this process, which is half of a server's start. */
export const rememberedSerializers: Compile = (route) => {
  const schema = route.schema as unknown as object
  const known = compiled.get(schema)
  if (known) return known
  const made = compile(route)
  compiled.set(schema, made)
  return made
}
