import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { mapMenuColumns, startMenuImport } from '#contracts/calls/menu-imports.ts'
import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { fieldWords, menuFieldKeys } from '#web/entities/menus/menu-fields.ts'
import { cacheImport } from '#web/entities/menus/menus.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, Spinner } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldError, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { RowErrors } from './import-result.tsx'
import { mappingProblem } from './menu-words.ts'

type ImportColumnsProps = { business: MyBusiness; entry: MenuImport; onAnew: () => void }

/** Step 2: column mapping, preview and errors. Each change is checked by the server. */
export function ImportColumns({ business, entry, onAnew }: ImportColumnsProps) {
  const client = useQueryClient()
  const params = { id: business.id, importId: entry.id }
  const [fields, setFields] = useState(() => entry.columns.map(({ field }) => field))
  const [skips, setSkips] = useState(entry.skipsWrongRows)
  const checking = useMutation({
    // Serialized, so that the response to the last change wins.
    scope: { id: `menu-mapping-${entry.id}` },
    mutationFn: (body: { fields: (MenuField | null)[]; skipsWrongRows: boolean }) => call(mapMenuColumns, { params, body }),
    onSuccess: (answer) => cacheImport(client, business.id, answer),
  })
  const starting = useMutation({
    mutationFn: () => call(startMenuImport, { params }),
    onSuccess: (answer) => cacheImport(client, business.id, answer),
  })
  // Check the whole file once with the guessed columns.
  const { mutate: check } = checking
  const checkOnce = useEffectEvent(() => check({ fields, skipsWrongRows: skips }))
  useEffect(() => checkOnce(), [])

  function choose(next: (MenuField | null)[], skipsWrongRows: boolean) {
    setFields(next)
    setSkips(skipsWrongRows)
    check({ fields: next, skipsWrongRows })
  }

  const problem = mappingProblem(fields)
  const wrongRows = entry.rowsRefused
  const goodRows = Math.max(0, entry.rowsTotal - wrongRows)
  const isBlocked = problem !== null || goodRows === 0 || (wrongRows > 0 && !skips)
  const isBusy = checking.isPending
  const wrongRowsWords = wrongRows === 1 ? '1 row has a problem' : `${formatNumber(wrongRows)} rows have problems`
  const leaveOut = useRef<HTMLInputElement>(null)

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-labelledby="columns-title" className="grid gap-3">
        <div>
          <h3 id="columns-title" className="text-lg">
            What’s in “{entry.fileName}”?
          </h3>
          <p className="mt-1 text-muted text-sm tabular-nums">
            {counted(entry.rowsTotal, 'row')}. We matched your columns. Check and fix any that are wrong.
          </p>
        </div>
        <ul className="overflow-clip rounded-card border border-line bg-surface">
          {entry.columns.map(({ name, examples }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a file can have two columns of one name; their order never changes
              key={index}
              className="grid items-center gap-x-5 gap-y-2 border-line px-4 py-3 not-first:border-t sm:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_13rem]"
            >
              <span className={cx('font-medium wrap-anywhere', fields[index] === null && 'text-muted')}>
                {name || `Column ${index + 1}`}
              </span>
              <span className="truncate text-muted text-sm">{examples.filter(Boolean).slice(0, 3).join(' · ') || 'Empty'}</span>
              <Select
                aria-label={`Column ${name || index + 1} is`}
                value={fields[index] ?? ''}
                onChange={(event) => choose(fields.with(index, (event.target.value || null) as MenuField | null), skips)}
              >
                <option value="">Skip this column</option>
                {menuFieldKeys.map((field) => (
                  <option key={field} value={field}>
                    {fieldWords[field].name}
                  </option>
                ))}
              </Select>
            </li>
          ))}
        </ul>
        <FormError>{problem}</FormError>
      </section>
      <section aria-labelledby="preview-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 id="preview-title" className="flex items-center gap-3 text-lg">
          Preview
          {isBusy && <Spinner />}
        </h3>
        <ImportPreview rows={entry.preview} isStale={isBusy} />
        {checking.isError && (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <FieldError>The columns couldn’t be checked. {messageOf(checking.error)}</FieldError>
            <Button variant="secondary" size="sm" onClick={() => choose(fields, skips)}>
              Retry
            </Button>
          </div>
        )}
      </section>
      {wrongRows > 0 && (
        <section aria-labelledby="errors-title" className="grid gap-3">
          <h3 id="errors-title" className="text-lg tabular-nums">
            {wrongRowsWords}
          </h3>
          <RowErrors errors={entry.rowErrors} />
          <Checkbox
            ref={leaveOut}
            checked={skips}
            onChange={(event) => choose(fields, event.target.checked)}
            hint={`Or fix ${wrongRows === 1 ? 'it' : 'them'} in your file and upload it again.`}
          >
            Skip {wrongRows === 1 ? 'this row' : 'these rows'}
          </Checkbox>
        </section>
      )}
      <div className="sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-3 border-line border-t bg-ground px-4 py-3 sm:mx-0 sm:px-0">
        <Button
          disabled={isBlocked && !isBusy && !starting.isPending}
          pending={isBusy || starting.isPending}
          pendingText={starting.isPending ? 'Starting...' : 'Checking...'}
          onClick={() => starting.mutate()}
        >
          Import {counted(goodRows, 'row')}
        </Button>
        <Button variant="quiet" onClick={onAnew}>
          Choose another file
        </Button>
        {/* The import waits for an option far below the columns, so jump to it. */}
        {wrongRows > 0 && !skips && !isBusy && (
          <button
            type="button"
            className={`${textLink} touch-target cursor-pointer text-sm`}
            onClick={() => {
              leaveOut.current?.scrollIntoView({ block: 'center' })
              leaveOut.current?.focus({ preventScroll: true })
            }}
          >
            {wrongRowsWords}
          </button>
        )}
        {starting.isError && <FormError className="basis-full">The import couldn’t be started. {messageOf(starting.error)}</FormError>}
      </div>
    </div>
  )
}

const effects = {
  add: { words: 'New', variant: 'leaf' },
  add_variant: { words: 'New size', variant: 'leaf' },
  change: { words: 'Changed', variant: 'neutral' },
  same: { words: 'Unchanged', variant: 'outline' },
  refused: { words: 'Rejected', variant: 'clay' },
} as const

function ImportPreview({ rows, isStale }: { rows: MenuImport['preview']; isStale: boolean }) {
  const fields = menuFieldKeys.filter((field) => rows.some(({ values }) => values[field] !== undefined))
  if (rows.length === 0 || fields.length === 0) {
    return <p className="rounded-card border border-line border-dashed px-5 py-8 text-center text-muted">Choose columns to see the rows.</p>
  }
  return (
    <section
      aria-label="Preview of the file"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled by keys
      tabIndex={0}
      className={cx('overflow-x-auto rounded-card border border-line bg-surface transition-opacity', isStale && 'opacity-60')}
    >
      <table className="min-w-full border-collapse text-sm tabular-nums">
        <thead className="bg-sunk text-left text-muted text-xs">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              Row
            </th>
            <th scope="col" className="px-3 py-2 font-medium">
              Effect
            </th>
            {fields.map((field) => (
              <th key={field} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                {fieldWords[field].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, values, errors, effect }) => (
            <tr key={row} className="border-line border-t align-top">
              <td className="px-3 py-2 text-muted">{formatNumber(row)}</td>
              <td className="px-3 py-2">
                <Badge variant={effects[effect].variant}>{effects[effect].words}</Badge>
              </td>
              {fields.map((field) => {
                const wrong = errors.find((error) => error.field === field)
                return (
                  <td key={field} className={cx('max-w-60 px-3 py-2', field === 'name' && 'min-w-44', wrong && 'min-w-36 bg-clay-soft')}>
                    <span className="line-clamp-2 wrap-anywhere">{values[field]}</span>
                    {wrong && <span className="block font-medium text-clay text-xs">{wrong.message}</span>}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
