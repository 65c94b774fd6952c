import { sql } from 'kysely'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { type SearchDocument, wordsOf } from '#server/kernel/search.ts'
import { lexemesOf } from './lexemes.ts'

/** How many characters of a long text are indexed. */
const maxTextLength = 20_000

const subjectColumn: Record<Exclude<SearchKind, 'strain'>, string> = {
  business: 'business_id',
  product: 'product_id',
  post: 'post_id',
  person: 'person_id',
  community: 'community_id',
}
const subjectColumns = Object.values(subjectColumn)

const columns = [...subjectColumns, 'folded', 'words', 'quality', 'latitude', 'longitude']
/** SQL for a column's new value. Only `words` is computed. */
const sourceOf = (column: string) =>
  column === 'words' ? `array_to_tsvector(row.lexemes) || strip(to_tsvector('pg_catalog.english', row.text))` : `row.${column}`

/** Writes only changed documents, so a full pass costs little more than reading. */
export async function putDocuments(tx: Tx, documents: readonly SearchDocument[]): Promise<string[]> {
  if (documents.length === 0) return []
  const ids = documents.map(({ id }) => id)
  const before = await tx
    .selectFrom('search_documents')
    .select([
      'id',
      'folded',
      'latitude',
      'longitude',
      sql<string[]>`array(select lexeme from unnest(words) where lexeme ~ '^[@#]')`.as('marks'),
    ])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('kind', '=', 'business')
    .execute()
  await sql`
    insert into search_documents (id, kind, ${sql.raw(columns.join(', '))})
    select row.id, row.kind, ${sql.raw(columns.map(sourceOf).join(', '))}
    from json_to_recordset(${JSON.stringify(documents.map(toRecord), wellFormed)}::json) as row (
      id uuid, kind text, ${sql.raw(subjectColumns.map((name) => `${name} uuid`).join(', '))},
      folded text, lexemes text[], text text, quality float8, latitude float8, longitude float8)
    on conflict (id) do update set ${sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(', '))}
    where (search_documents.words, search_documents.quality, search_documents.folded)
      is distinct from (excluded.words, excluded.quality, excluded.folded)
      or (search_documents.latitude, search_documents.longitude) is distinct from (excluded.latitude, excluded.longitude)`.execute(tx)
  await addWords(tx, documents)
  const known = new Map(before.map((row) => [row.id, contentKey(row.folded, row.latitude, row.longitude, row.marks)]))
  return documents
    .filter(({ id, title, pin, state, businessType }) => {
      const marks = [...(businessType ? [`#${businessType}`] : []), ...(state ? [`@${state}`] : [])]
      return known.has(id) && known.get(id) !== contentKey(foldText(title), pin?.latitude ?? null, pin?.longitude ?? null, marks)
    })
    .map(({ id }) => id)
}

/** What a business's products and posts are indexed with. */
const contentKey = (folded: string, latitude: number | null, longitude: number | null, marks: readonly string[]) =>
  JSON.stringify([folded, latitude, longitude, marks.toSorted()])

function toRecord(document: SearchDocument) {
  const { id, kind, title, names, text, quality, pin } = document
  return {
    id,
    kind,
    ...(kind === 'strain' ? {} : { [subjectColumn[kind]]: id }),
    folded: foldText(title),
    lexemes: lexemesOf(document),
    text: wordsOf([title, ...names, text].join('\n').slice(0, maxTextLength)).join(' '),
    quality,
    latitude: pin?.latitude ?? null,
    longitude: pin?.longitude ?? null,
  }
}

/** Replaces lone surrogates and NUL, which PostgreSQL's JSON refuses. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : value)

const minLength = 3

async function addWords(tx: Tx, documents: readonly SearchDocument[]): Promise<void> {
  const known = documents.filter(({ isCommonKnowledge }) => isCommonKnowledge)
  const words = new Set(
    known.flatMap(({ title, names }) => wordsOf([title, ...names].join(' '))).filter((word) => word.length >= minLength),
  )
  // Sorted, so concurrent inserts of the same words can't deadlock.
  const list = [...words].sort()
  if (list.length > 0) await sql`insert into search_words select unnest(${list}::text[]) on conflict do nothing`.execute(tx)
}

export const removeDocuments = (tx: Tx, kind: SearchKind, ids: readonly string[]) =>
  tx.deleteFrom('search_documents').where(sql<boolean>`id = any(${ids}::uuid[])`).where('kind', '=', kind).execute()

export const removeAllBut = (tx: Tx, kind: 'strain', ids: readonly string[]) =>
  tx.deleteFrom('search_documents').where('kind', '=', kind).where(sql<boolean>`id <> all(${ids}::uuid[])`).execute()

const pruned = 2000

/** Deletes in batches of a few thousand words because of `statement_timeout`. */
export async function pruneWords(db: Db): Promise<void> {
  for (let last = ''; ; ) {
    const words: { word: string }[] = await db
      .selectFrom('search_words')
      .select('word')
      .where('word', '>', last)
      .orderBy('word')
      .limit(pruned)
      .execute()
    const end = words.at(-1)
    if (!end) return
    await sql`
      delete from search_words where word > ${last} and word <= ${end.word} and not exists (
        select from search_documents
        where search_documents.words @@ array_to_string(array['''^', left(search_words.word, 12), ''''], '')::tsquery)`.execute(db)
    last = end.word
  }
}
