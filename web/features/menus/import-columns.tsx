import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type MenuFileField, type MenuImport, mapMenuColumns, menuFileFields, startMenuImport } from '../../../contracts/menu-imports.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ImportPreview } from './import-preview.tsx'
import { fieldNames, mappingProblem } from './import-words.ts'
import { menuImportOptions } from './menus.api.ts'
import { RowErrors } from './row-errors.tsx'

type ImportColumnsProps = { business: MyBusiness; entry: MenuImport; onAnew: () => void }

/** The second step: what each column is, how the rows would be stored, and what is wrong in them. Every choice is checked at once. */
export function ImportColumns({ business, entry, onAnew }: ImportColumnsProps) {
  const client = useQueryClient()
  const params = { id: business.id, importId: entry.id }
  const { queryKey } = menuImportOptions(business.id, entry.id)
  const [fields, setFields] = useState(() => entry.columns.map(({ field }) => field))
  const [skips, setSkips] = useState(entry.skipsWrongRows)
  const checking = useMutation({
    // One after the other: the answer to the last choice is the one that counts.
    scope: { id: `menu-mapping-${entry.id}` },
    mutationFn: (body: { fields: (MenuFileField | null)[]; skipsWrongRows: boolean }) => call(mapMenuColumns, { params, body }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
  const starting = useMutation({
    mutationFn: () => call(startMenuImport, { params }),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
  // The whole file is looked through once, with the columns as they were guessed.
  const { mutate: check } = checking
  const checkOnce = useEffectEvent(() => check({ fields, skipsWrongRows: skips }))
  useEffect(() => checkOnce(), [])

  function choose(next: (MenuFileField | null)[], skipsWrongRows: boolean) {
    setFields(next)
    setSkips(skipsWrongRows)
    check({ fields: next, skipsWrongRows })
  }

  const problem = mappingProblem(fields)
  const wrongRows = entry.rowsRefused
  const goodRows = Math.max(0, entry.rowsTotal - wrongRows)
  const isBlocked = problem !== null || goodRows === 0 || (wrongRows > 0 && !skips)
  const isBusy = checking.isPending
  const wrongRowsWords = wrongRows === 1 ? '1 row needs a look' : `${formatNumber(wrongRows)} rows need a look`
  const leaveOut = useRef<HTMLInputElement>(null)

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-labelledby="columns-title" className="grid gap-3">
        <div>
          <h3 id="columns-title" className="text-lg">
            What is in “{entry.fileName}”?
          </h3>
          <p className="mt-1 text-muted text-sm tabular-nums">
            {counted(entry.rowsTotal, 'row')}. We have guessed the columns by their names; put right what is wrong.
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
                onChange={(event) => choose(fields.with(index, (event.target.value || null) as MenuFileField | null), skips)}
              >
                <option value="">Leave out</option>
                {menuFileFields.map((field) => (
                  <option key={field} value={field}>
                    {fieldNames[field]}
                  </option>
                ))}
              </Select>
            </li>
          ))}
        </ul>
        {problem && (
          <div role="alert">
            <FieldError>{problem}</FieldError>
          </div>
        )}
      </section>
      <section aria-labelledby="preview-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 id="preview-title" className="flex items-center gap-3 text-lg">
          How it will be stored
          {isBusy && <Spinner />}
        </h3>
        <ImportPreview rows={entry.preview} isStale={isBusy} />
        {checking.isError && (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <FieldError>The columns could not be checked. {messageOf(checking.error)}</FieldError>
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
            hint={`Otherwise put ${wrongRows === 1 ? 'it' : 'them'} right in your file and choose it again.`}
          >
            Leave {wrongRows === 1 ? 'this row' : 'these rows'} out
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
        {/* The button waits for an answer that stands far below the columns. */}
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
        {starting.isError && (
          <div role="alert" className="basis-full">
            <FieldError>The import was not started. {messageOf(starting.error)}</FieldError>
          </div>
        )}
      </div>
    </div>
  )
}
