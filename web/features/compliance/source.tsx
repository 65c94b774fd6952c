import type { Rule } from '../../../compliance/rules.ts'
import { dateFormat } from '../../lib/format.ts'
import { textLink } from '../../ui/link-styles.ts'

const readAs: Record<Rule['readAs'], string> = {
  text: 'its text read',
  summary: 'a summary of it read',
  known: 'named from general knowledge, not read anew',
}

const longDate = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** Where a rule stands, what our entry rests on, and since when. Of a rule of our own, its name. */
export function Source({ rule: { citation, url, country, readAs: read, checkedOn } }: { rule: Rule }) {
  if (country === null) return <span>{citation}</span>
  return (
    <span>
      {url === null ? (
        citation
      ) : (
        <a href={url} target="_blank" rel="noreferrer" className={textLink}>
          {citation}
        </a>
      )}{' '}
      ({readAs[read]}
      {checkedOn && ` on ${longDate.format(new Date(`${checkedOn}T00:00:00Z`))}`})
    </span>
  )
}
