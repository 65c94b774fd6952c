import { Button } from '../../ui/button.tsx'

type PaletteNoteProps = { text: string; hasFailed: boolean; isEmpty: boolean; onRetry: () => void }

/** What the list cannot say: that nothing fits, or that the answer did not come. */
export function PaletteNote({ text, hasFailed, isEmpty, onRetry }: PaletteNoteProps) {
  if (text === '') return null
  if (hasFailed) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-5 py-3 text-clay text-sm"
      >
        The suggestions could not be loaded. Check your connection.
        <Button size="sm" variant="secondary" onClick={onRetry}>
          Retry
        </Button>
      </div>
    )
  }
  return isEmpty ? (
    <p className="border-line border-t px-5 py-3 text-muted text-sm">
      Nothing is called “{text}”. Try fewer letters, or look for it among the places of Discover.
    </p>
  ) : null
}
