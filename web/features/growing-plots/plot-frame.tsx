import { ChartLine, FileSpreadsheet, ImageDown, type LucideIcon, Table2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { fileNameOf, saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { readFonts, readPlotPalette } from './palette.ts'
import { type Picture, paintPicture } from './plot-picture.ts'
import { type PlotTable, tableCsv } from './plot-table.ts'
import { PlotTableView } from './plot-table-view.tsx'

/** What every plot takes beside its rows. */
export type PlotProps = {
  /** Stands in saved pictures and in the names of files. */
  huntName: string
  isLoading?: boolean | undefined
  /** The next thing to do where there is nothing to plot yet: a link or a button. */
  emptyAction?: ReactNode
  /** Where the title stands in the page's outline. */
  level?: 2 | 3 | undefined
}

type PlotFrameProps<Row> = PlotProps & {
  title: string
  /** One sentence: how to read it. */
  help: string
  /** What can be done with it on the screen; saved pictures leave it out. */
  use?: string | undefined
  table: PlotTable<Row>
  picture: () => Picture
  empty: { title: string; description: string }
  /** The plot and the table need not be empty together: a plot may need two points. */
  isEmpty?: boolean | undefined
  /** What can be set about the rows, over plot and table alike. */
  controls?: ReactNode
  /** Reserves the room while data comes. */
  height: number
  children: ReactNode
}

/** The frame of every plot: title, how to read it, plot or table, and both as files. All of them show the same rows. */
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
      const file = await paintPicture(picture(), { title, help, huntName, day: today() }, look)
      saveFile(`${fileNameOf(huntName, title)}-${today()}.png`, file)
    } catch {
      toast({ title: 'The picture could not be made', description: 'Please try again.', variant: 'destructive' })
    } finally {
      setSaving(false)
    }
  }
  const saveTable = () =>
    saveFile(`${fileNameOf(huntName, title)}-${today()}.csv`, new Blob([tableCsv(table)], { type: 'text/csv;charset=utf-8' }))

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

/** The reader's own day. */
export function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
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
      className="max-sm:[&_svg]:hidden"
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
            'inline-flex min-h-7 items-center gap-1.5 rounded-[0.5rem] px-2.5 font-medium text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus pointer-coarse:min-h-10 [&_svg]:size-4',
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
