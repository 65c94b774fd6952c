import { ChartLine, ChevronLeft, ChevronRight, FileSpreadsheet, ImageDown, type LucideIcon, Table2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { fileNameOf, saveFile } from '#web/lib/save-file.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { css, type Look, readFonts, readPlotPalette } from './palette.ts'
import { cellText, dayText, headText, isNumeric, numberText, type PlotTable, tableCsv } from './plot-table.ts'

export type PlotProps = {
  huntName: string
  isLoading?: boolean | undefined
  emptyAction?: ReactNode
  level?: 2 | 3 | undefined
}

type PlotFrameProps<Row> = PlotProps & {
  title: string
  help: string
  /** How to use the plot. Exported pictures omit this. */
  use?: string | undefined
  table: PlotTable<Row>
  picture: () => Picture
  empty: { title: string; description: string }
  /** Replaces the check for an empty table, for example for a plot that needs two points. */
  isEmpty?: boolean | undefined
  controls?: ReactNode
  height: number
  children: ReactNode
}

/** Plot, table and both exports are made from the same rows. */
export function PlotFrame<Row>(props: PlotFrameProps<Row>) {
  const { title, help, use, huntName, table, picture, empty, emptyAction, isLoading, level = 3, controls, height, children } = props
  const isEmpty = props.isEmpty ?? table.rows.length === 0
  const [isTable, setTable] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const frame = useRef<HTMLElement>(null)
  const id = useId()
  const Heading = `h${level}` as const

  const savePicture = async () => {
    const element = frame.current
    if (!element) return
    setSaving(true)
    try {
      const look = { palette: readPlotPalette(element), ...readFonts(element) }
      const file = await paintPicture(picture(), { title, help, huntName, day: localDay() }, look)
      saveFile(`${fileNameOf(huntName, title)}-${localDay()}.png`, file)
    } catch {
      toast({ title: 'The picture couldn’t be created', description: 'Please try again.', variant: 'destructive' })
    } finally {
      setSaving(false)
    }
  }
  const saveTable = () =>
    saveFile(`${fileNameOf(huntName, title)}-${localDay()}.csv`, new Blob([tableCsv(table)], { type: 'text/csv;charset=utf-8' }))

  return (
    <section ref={frame} aria-labelledby={`${id}-title`} className="min-w-0 overflow-clip rounded-card border border-line bg-surface">
      <header className="grid gap-x-6 gap-y-3 p-4 pb-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:p-5 sm:pb-3">
        <div className="grid content-start gap-1">
          <Heading id={`${id}-title`} className="text-lg">
            {title}
          </Heading>
          <p className="max-w-text text-muted text-sm">{use ? `${help} ${use}` : help}</p>
        </div>
        {!isLoading && !isEmpty && (
          <div className="flex flex-wrap items-center justify-between gap-2 sm:flex-nowrap sm:items-start sm:justify-end">
            <ViewSwitch title={title} isTable={isTable} onChange={setTable} />
            <div className="flex gap-1.5">
              <SaveButton title={title} kind="PNG" icon={ImageDown} pending={isSaving} onClick={savePicture} />
              <SaveButton title={title} kind="CSV" icon={FileSpreadsheet} onClick={saveTable} />
            </div>
          </div>
        )}
      </header>
      {isLoading ? (
        <SkeletonGroup label={`Loading ${title.toLowerCase()}...`} className="p-4 pt-0 sm:p-5 sm:pt-0">
          <span className="block" style={{ height }}>
            <Skeleton className="h-full" />
          </span>
        </SkeletonGroup>
      ) : isEmpty ? (
        <EmptyState title={empty.title} description={empty.description} level={3} className="pt-4">
          {emptyAction}
        </EmptyState>
      ) : (
        <>
          {controls && <div className="flex flex-wrap items-end gap-3 px-4 pb-3 sm:px-5">{controls}</div>}
          {isTable ? <PlotTableView name={title} {...table} /> : <div className="px-4 pb-4 sm:px-5 sm:pb-5">{children}</div>}
        </>
      )}
    </section>
  )
}

function SaveButton({
  title,
  kind,
  icon: Icon,
  ...props
}: {
  title: string
  kind: 'PNG' | 'CSV'
  icon: LucideIcon
  pending?: boolean
  onClick: () => void
}) {
  return (
    <Button
      variant="secondary"
      size="sm"
      className="pointer-coarse:min-h-11 max-sm:[&_svg]:hidden"
      aria-label={`Save as ${kind}: ${title}`}
      title={`Save as ${kind}`}
      {...props}
    >
      <Icon aria-hidden="true" />
      {kind}
    </Button>
  )
}

function ViewSwitch({ title, isTable, onChange }: { title: string; isTable: boolean; onChange: (isTable: boolean) => void }) {
  const name = useId()
  const views = [
    { label: 'Plot', icon: ChartLine, value: false },
    { label: 'Table', icon: Table2, value: true },
  ]
  return (
    <fieldset className="flex rounded-input border border-line bg-sunk p-0.5">
      <legend className="sr-only">{title}: show as</legend>
      {views.map(({ label, icon: Icon, value }) => (
        <label
          key={label}
          className={cx(
            'inline-flex min-h-7 items-center gap-1.5 rounded-[0.5rem] px-2.5 font-medium text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus pointer-coarse:min-h-11 [&_svg]:size-4',
            isTable === value ? 'bg-surface text-ink ring-1 ring-line' : 'text-muted hover:text-ink',
          )}
        >
          <input type="radio" name={name} className="sr-only" checked={isTable === value} onChange={() => onChange(value)} />
          <Icon aria-hidden="true" />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

const rowsOfPage = 100

function PlotTableView<Row>({ name, columns, rows }: PlotTable<Row> & { name: string }) {
  const [wanted, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage))
  const page = Math.min(wanted, pages - 1)
  const from = page * rowsOfPage
  const shown = rows.slice(from, from + rowsOfPage)
  return (
    <div className="border-line border-t">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable by keyboard */}
      <section className="max-h-112 overflow-auto focus-visible:-outline-offset-2" tabIndex={0} aria-label={`${name} as a table`}>
        <table className="w-full text-sm tabular-nums">
          <caption className="sr-only">{name}</caption>
          <thead className="sticky top-0 z-1 bg-sunk">
            <tr>
              {columns.map((column, nth) => (
                <th
                  key={column.key}
                  scope="col"
                  className={`whitespace-nowrap px-3 py-2 font-medium first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5 ${isNumeric(column) ? 'text-right' : 'text-left'} ${nth === 0 ? 'left-0 sm:sticky sm:bg-sunk' : ''}`}
                >
                  {headText(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no common ID and never move within a page
              <tr key={from + nth} className="border-line border-t">
                {columns.map((column, place) =>
                  place === 0 ? (
                    <th
                      key={column.key}
                      scope="row"
                      className={`left-0 whitespace-nowrap bg-surface px-3 py-2 pl-4 font-medium sm:sticky sm:pl-5 ${isNumeric(column) ? 'text-right' : 'text-left'}`}
                    >
                      {cellText(column, row)}
                    </th>
                  ) : (
                    <td
                      key={column.key}
                      className={`whitespace-nowrap px-3 py-2 last:pr-4 sm:last:pr-5 ${isNumeric(column) ? 'text-right' : 'text-left'}`}
                    >
                      {cellText(column, row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {pages > 1 && (
        <div className="flex items-center justify-between gap-3 border-line border-t px-4 py-2 text-muted text-sm sm:px-5">
          <p aria-live="polite" className="tabular-nums">
            {numberText(from + 1)} to {numberText(from + shown.length)} of {numberText(rows.length)} rows
          </p>
          <div className="flex gap-1">
            <IconButton size="sm" label={`${name}: earlier rows`} disabled={page === 0} onClick={() => setPage(page - 1)}>
              <ChevronLeft aria-hidden="true" />
            </IconButton>
            <IconButton size="sm" label={`${name}: later rows`} disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
              <ChevronRight aria-hidden="true" />
            </IconButton>
          </div>
        </div>
      )}
    </div>
  )
}

/** Sizes are in CSS pixels, independent of the screen. */
export type Picture = {
  width: number
  height: number
  /** The origin is the upper left corner. `scale` is file pixels per CSS pixel. */
  paint: (context: CanvasRenderingContext2D, look: Look, scale: number) => void | Promise<void>
}

type PictureTexts = {
  title: string
  help: string
  huntName: string
  /** `2026-11-21`. */
  day: string
}

/** In pixels. Some phones can't draw larger canvases. */
const maxPixels = 16_000_000
const margin = 32
const below = 24

async function paintPicture(picture: Picture, texts: PictureTexts, look: Omit<Look, 'width' | 'height'>): Promise<Blob> {
  await document.fonts.ready
  const { palette, font, displayFont } = look
  const width = picture.width + 2 * margin
  const measure = document.createElement('canvas').getContext('2d')
  if (!measure) throw new Error('This browser can’t create pictures.')
  measure.font = `14px ${font}`
  const help = wrapped(texts.help, picture.width, (text) => measure.measureText(text).width)
  const head = margin + 34 + 24 + help.length * 20 + 16
  const height = head + picture.height + below
  const scale = Math.min(2, Math.sqrt(maxPixels / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * scale)
  canvas.height = Math.floor(height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t create pictures.')
  context.scale(scale, scale)
  context.fillStyle = css(palette.surface)
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'alphabetic'
  context.fillStyle = css(palette.ink)
  context.font = `560 26px ${displayFont}`
  context.fillText(texts.title, margin, margin + 22, picture.width)
  context.fillStyle = css(palette.muted)
  context.font = `14px ${font}`
  context.fillText(`${texts.huntName} · ${dayText(texts.day)}`, margin, margin + 50, picture.width)
  for (const [nth, line] of help.entries()) context.fillText(line, margin, margin + 74 + nth * 20)
  context.save()
  context.translate(margin, head)
  await picture.paint(context, { ...look, width: picture.width, height: picture.height }, scale)
  context.restore()
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture couldn’t be created.'))), 'image/png'),
  )
}

/** A single word longer than `room` isn't broken. */
export function wrapped(text: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

export function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  let end = text.length - 1
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > room) end -= 1
  return `${text.slice(0, end)}…`
}
