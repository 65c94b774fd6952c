import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type MenuImport, maxMenuRows } from '../../../contracts/menu-imports.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Progress } from '../../ui/progress.tsx'
import { useFileDrop } from '../media/use-file-drop.ts'
import { useSendMenuFile } from './use-send-menu-file.ts'

type ImportFileProps = {
  business: MyBusiness
  /** One whose file has not arrived whole. */
  begun: MenuImport | null
  onBegun: (importId: string) => void
  onAnew?: () => void
}

/** The first step: a file is chosen or dropped, and sent. */
export function ImportFile({ business, begun, onBegun, onAnew }: ImportFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const { sending, error, send, cancel } = useSendMenuFile(business.id, onBegun)
  const take = (files: File[]) => {
    const [file] = files
    if (file && !sending) send(file, begun)
  }
  const { isOver, handlers } = useFileDrop(take)
  return (
    <section aria-label="File" className="grid gap-4">
      <div
        {...handlers}
        className={cx(
          'grid min-h-64 content-center justify-items-center gap-3 rounded-card border border-dashed px-5 py-10 text-center transition-colors',
          isOver ? 'border-leaf bg-leaf-soft' : 'border-edge bg-surface',
        )}
      >
        {sending ? (
          <div className="grid w-full max-w-sm gap-3">
            <p className="font-medium wrap-anywhere">{sending.name}</p>
            <Progress label={`Upload of ${sending.name}`} value={sending.percent} />
            <p className="text-muted text-sm tabular-nums" role="status">
              {sending.percent < 100 ? `${sending.percent} % sent` : 'Reading the file'}
            </p>
            <Button variant="quiet" size="sm" className="justify-self-center" onClick={cancel}>
              Cancel
            </Button>
          </div>
        ) : (
          <>
            <span className="grid size-14 place-items-center rounded-full bg-leaf-soft text-leaf">
              <FileUp aria-hidden="true" className="size-6" />
            </span>
            {begun ? (
              <>
                <p className="font-medium">“{begun.fileName}” has not arrived whole</p>
                <p className="max-w-text text-muted text-sm">
                  {Math.floor((begun.receivedBytes / begun.byteSize) * 100)} % was sent before the page was left. Choose the file again to
                  go on.
                </p>
              </>
            ) : (
              <>
                <p className="font-medium">{isOver ? 'Let go to send it' : 'Drop a CSV file here'}</p>
                <p className="max-w-text text-balance text-muted text-sm">
                  From your point of sale or a spreadsheet: at most 16 MB and {formatNumber(maxMenuRows)} rows. Nothing is changed before
                  you have seen it.
                </p>
              </>
            )}
            <div className="mt-1 flex flex-wrap justify-center gap-2">
              <Button onClick={() => input.current?.click()}>Choose file</Button>
              {onAnew && (
                <Button variant="secondary" onClick={onAnew}>
                  Begin anew
                </Button>
              )}
            </div>
          </>
        )}
        {error && (
          <div role="alert" className="grid justify-items-center gap-2">
            <FieldError>{error.message}</FieldError>
            {error.file && (
              <Button variant="secondary" size="sm" onClick={() => error.file && send(error.file, begun)}>
                Retry
              </Button>
            )}
          </div>
        )}
      </div>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="Menu file"
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          take(files)
        }}
      />
      {!begun && (
        <p className="text-muted text-sm">
          No file at hand?{' '}
          <a href={`/api/businesses/${business.id}/menu.csv`} download className={textLink}>
            Download your menu as CSV
          </a>
          , change it in a spreadsheet, and bring it back: items are found by SKU, or by name, brand and weight.
        </p>
      )}
    </section>
  )
}
