import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { mapMenuColumns, startMenuImport } from '#contracts/calls/menu-imports.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { MenuFileField, MenuImport, MissingItems } from '#contracts/menu-imports.endpoints.ts'
import { fileFieldKeys, fileFieldName } from '#web/entities/menus/menu-fields.ts'
import { cacheImport, menuSettingsOptions } from '#web/entities/menus/menus.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Button, Spinner } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, FieldError, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { ImportPreview } from './import-preview.tsx'
import { RejectedRowsLink, RowErrors } from './import-result.tsx'
import { mappingProblem, matchedWords, outlookWords } from './menu-words.ts'

type Fields = (MenuFileField | null)[]
type Choices = Partial<Pick<MenuImport, 'keepsRowsApart' | 'missingItems' | 'pricesIncludeTax'>>

type ImportColumnsProps = { business: MyBusiness; entry: MenuImport; onAnew: () => void }

export function ImportColumns({ business, entry, onAnew }: ImportColumnsProps) {
  const client = useQueryClient()
  const params = { id: business.id, importId: entry.id }
  const [fields, setFields] = useState(() => entry.columns.map(({ field }) => field))
  const [matched] = useState(() => matchedWords(fields))
  const [skips, setSkips] = useState(entry.skipsWrongRows)
  const { data: settings } = useQuery(menuSettingsOptions(business.id))
  const checking = useMutation({
    // Serialized, so the response to the last change wins.
    scope: { id: `menu-mapping-${entry.id}` },
    mutationFn: (body: NonNullable<InputOf<typeof mapMenuColumns>['body']>) => call(mapMenuColumns, { params, body }),
    onSuccess: (answer) => cacheImport(client, business.id, answer),
  })
  const starting = useMutation({
    mutationFn: () => call(startMenuImport, { params }),
    onSuccess: (answer) => cacheImport(client, business.id, answer),
  })
  const { mutate: check } = checking
  const checkOnce = useEffectEvent(() => check({ fields, skipsWrongRows: skips }))
  useEffect(() => checkOnce(), [])

  function choose(next: Fields, skipsWrongRows: boolean, choices: Choices = {}) {
    setFields(next)
    setSkips(skipsWrongRows)
    check({ fields: next, skipsWrongRows, ...choices })
  }

  const problem = mappingProblem(fields)
  const wrongRows = entry.rowsRefused
  const goodRows = Math.max(0, entry.rowsTotal - wrongRows - entry.rowsInactive)
  const isBlocked = problem !== null || goodRows === 0 || (wrongRows > 0 && !skips)
  // While checking, the controls aren't `disabled`, which would make them lose focus.
  const isBusy = checking.isPending
  const wrongRowsWords = wrongRows === 1 ? '1 row has a problem' : `${formatNumber(wrongRows)} rows have problems`
  const leaveOut = useRef<HTMLInputElement>(null)

  const columnList = (
    <ul className="overflow-clip rounded-card border border-line bg-surface">
      {entry.columns.map(({ name, examples }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name and never move
          key={index}
          className="grid items-center gap-x-5 gap-y-2 border-line px-4 py-3 not-first:border-t sm:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_13rem]"
        >
          <span className={cx('font-medium wrap-anywhere', fields[index] === null && 'text-muted')}>{name || `Column ${index + 1}`}</span>
          <span className="truncate text-muted text-sm">{examples.filter(Boolean).slice(0, 3).join(' · ') || 'Empty'}</span>
          <Select
            aria-label={`Column ${name || index + 1} is`}
            value={fields[index] ?? ''}
            onChange={(event) => choose(fields.with(index, (event.target.value || null) as MenuFileField | null), skips)}
          >
            <option value="">Skip this column</option>
            {fileFieldKeys.map((field) => (
              <option key={field} value={field}>
                {fileFieldName(field)}
              </option>
            ))}
          </Select>
        </li>
      ))}
    </ul>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <section aria-labelledby="columns-title" className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-3">
        <div>
          <h3 id="columns-title" className="text-lg wrap-anywhere">
            What’s in “{entry.fileName}”?
          </h3>
          <p className="mt-1 text-muted text-sm tabular-nums">
            {counted(entry.rowsTotal, 'row')}.{' '}
            {entry.isMappingKnown
              ? 'This file has the same columns as an earlier one, so we matched them the same way.'
              : `${matched} Check and fix any that are wrong.`}
          </p>
        </div>
        {entry.isMappingKnown ? (
          <details>
            <summary className="touch-target w-fit cursor-pointer font-medium text-sm">{counted(entry.columns.length, 'column')}</summary>
            <div className="mt-3">{columnList}</div>
          </details>
        ) : (
          columnList
        )}
        <FormError>{problem}</FormError>
      </section>
      {problem === null && (
        <section aria-labelledby="outlook-title" className="grid max-w-4xl gap-4">
          <h3 id="outlook-title" className="text-lg">
            What will happen
          </h3>
          <ul className={cx('grid gap-1 tabular-nums transition-opacity', isBusy && 'opacity-60')}>
            {outlookWords(entry).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label="Items that aren’t in this file">
              <Select
                value={entry.missingItems}
                aria-disabled={isBusy}
                onChange={(event) => !isBusy && choose(fields, skips, { missingItems: event.target.value as MissingItems })}
              >
                <option value="leave">Don’t change</option>
                <option value="out_of_stock">Set to Out of Stock</option>
                <option value="remove">Remove from the menu</option>
              </Select>
            </Field>
            {settings && (
              <Field
                label="Prices in this file"
                hint={
                  entry.pricesIncludeTax !== null && entry.pricesIncludeTax !== settings.pricesIncludeTax
                    ? 'This will apply to your whole menu.'
                    : undefined
                }
              >
                <Select
                  value={(entry.pricesIncludeTax ?? settings.pricesIncludeTax) ? 'with' : 'without'}
                  aria-disabled={isBusy}
                  onChange={(event) => !isBusy && choose(fields, skips, { pricesIncludeTax: event.target.value === 'with' })}
                >
                  <option value="with">Include tax</option>
                  <option value="without">Don’t include tax</option>
                </Select>
              </Field>
            )}
          </div>
          {(entry.rowsGrouped > 0 || entry.keepsRowsApart) && (
            <Checkbox
              checked={!entry.keepsRowsApart}
              aria-disabled={isBusy}
              onChange={(event) => !isBusy && choose(fields, skips, { keepsRowsApart: !event.target.checked })}
              hint={
                entry.keepsRowsApart
                  ? 'Each row becomes its own item.'
                  : `${counted(entry.rowsGrouped, 'row')} with the same name, brand and category ${entry.rowsGrouped === 1 ? 'becomes a size' : 'become sizes'} of one item.`
              }
            >
              Combine rows that differ only in weight
            </Checkbox>
          )}
        </section>
      )}
      <section aria-labelledby="preview-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 id="preview-title" className="flex items-center gap-3 text-lg">
          Preview
          {isBusy && <Spinner />}
        </h3>
        <ImportPreview rows={entry.preview} currency={settings?.currency ?? 'USD'} isStale={isBusy} />
        {entry.rowsTotal > entry.preview.length && entry.preview.length > 0 && (
          <p className="text-muted text-sm tabular-nums">Showing the first {entry.preview.length} rows.</p>
        )}
        {checking.isError && (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <FieldError>The columns couldn’t be checked. {messageOf(checking.error)}</FieldError>
            <Button variant="secondary" size="sm" onClick={() => choose(fields, skips)}>
              Retry
            </Button>
          </div>
        )}
      </section>
      {entry.rowNotes.length > 0 && (
        <section aria-labelledby="notes-title" className="grid max-w-4xl gap-3">
          <h3 id="notes-title" className="text-lg tabular-nums">
            {entry.rowsFlagged === 1 ? '1 row to check' : `${formatNumber(entry.rowsFlagged)} rows to check`}
          </h3>
          <p className="text-muted text-sm">{entry.rowsFlagged === 1 ? 'It' : 'They'} will be imported as shown in the preview.</p>
          <RowErrors errors={entry.rowNotes} />
        </section>
      )}
      {wrongRows > 0 && (
        <section aria-labelledby="errors-title" className="grid max-w-4xl gap-3">
          <h3 id="errors-title" className="text-lg tabular-nums">
            {wrongRowsWords}
          </h3>
          <RowErrors errors={entry.rowErrors} />
          {problem === null && <RejectedRowsLink business={business} entry={entry} />}
          <Checkbox
            ref={leaveOut}
            checked={skips}
            onChange={(event) => choose(fields, event.target.checked)}
            hint={`Or fix ${wrongRows === 1 ? 'it' : 'them'} in your file and upload the file again.`}
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
        {/* The import waits for an option far below the columns, so link to it. */}
        {wrongRows > 0 && !skips && !isBusy && (
          <button
            type="button"
            className={`${textLink} touch-target cursor-pointer text-sm`}
            onClick={() => {
              leaveOut.current?.scrollIntoView({ block: 'center' })
              leaveOut.current?.focus({ preventScroll: true })
            }}
          >
            {wrongRows === 1 ? 'Skip or fix 1 row' : `Skip or fix ${formatNumber(wrongRows)} rows`} to import
          </button>
        )}
        {starting.isError && <FormError className="basis-full">The import couldn’t be started. {messageOf(starting.error)}</FormError>}
      </div>
    </div>
  )
}
