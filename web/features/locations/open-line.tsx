import type { Location } from '../../../contracts/locations.ts'
import { useNow } from '../../ui/ago.tsx'
import { openWords } from './hours-words.ts'

/** "Open now · closes 9 PM", and why today is not as usual. Kept true while it is shown. */
export function OpenLine({ location }: { location: Pick<Location, 'openNow' | 'timeZone'> }) {
  const words = openWords(location, new Date(useNow()))
  if (!words) return null
  const note = location.openNow?.note
  return (
    <span className="tabular-nums">
      <span className={words.isOpen ? 'font-semibold text-leaf' : 'font-semibold text-clay'}>{words.state}</span>
      {words.change && <span> · {words.change}</span>}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  )
}
