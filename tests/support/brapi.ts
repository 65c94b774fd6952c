import fs from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

type Schema = {
  $ref?: string
  type?: string
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
}

const file = path.join(import.meta.dirname, '../fixtures/brapi/brapi-2.1.json')
const document = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  components: { schemas: Record<string, Schema>; responses: Record<string, Schema> }
}

const ajv = new Ajv({ strict: false, allErrors: true, schemas: [{ $id: 'brapi', ...document }] })
// The package is CommonJS, and its types don't match this import.
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)

/** The services whose responses the specification's schemas describe. `programs/{id}` returns a single program. */
export const describedServices = Object.keys(document.components.responses)

/** Values of a response that the specification's schema rejects, and fields that the schema doesn't have. */
export function findResponseErrors(service: string, response: unknown): string[] {
  const schema = document.components.responses[service]
  if (!schema) throw new Error(`The specification has no response for ${service}.`)
  const pointer = service.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
  return [...invalid(`responses/${pointer}`, response), ...undeclared([schema], response, '')]
}

/** Like `findResponseErrors`, for a request body. `name` is its schema's, such as `GermplasmNewRequest`. */
export function findRequestErrors(name: string, body: unknown): string[] {
  const schema = document.components.schemas[name]
  if (!schema) throw new Error(`The specification has no ${name}.`)
  return [...invalid(`schemas/${name}`, body), ...undeclared([schema], body, '')]
}

function invalid(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`brapi#/components/${pointer}`)
  if (!validate) throw new Error(`The schema ${pointer} can't be found.`)
  validate(value)
  return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []
}

/** A schema and all schemas that it is composed of. */
function parts(schema: Schema): Schema[] {
  const target = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) as string]
  return target ? [target, ...(target.allOf ?? []).flatMap(parts)] : []
}

/** The specification allows additional fields, but clients don't expect them, and a misspelled field must not pass. */
function undeclared(schemas: readonly Schema[], value: unknown, at: string): string[] {
  const all = schemas.flatMap(parts)
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => items ?? [])
    return value.flatMap((item, i) => undeclared(items, item, `${at}/${i}`))
  }
  const properties = all.filter((schema) => schema.properties)
  if (typeof value !== 'object' || value === null || properties.length === 0 || all.some((schema) => schema.additionalProperties)) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const declared = properties.flatMap((schema) => schema.properties?.[name] ?? [])
    return declared.length === 0 ? [`${at}/${name} isn't in the specification`] : undeclared(declared, field, `${at}/${name}`)
  })
}
