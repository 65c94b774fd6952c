import type { Rule } from '#compliance/rules.ts'
import { dateFormat } from '#web/lib/format.ts'
import { textLink } from '#web/ui/link-styles.ts'

const readAs: Record<Rule['readAs'], string> = {
  text: 'text checked',
  summary: 'summary checked',
  known: 'from general knowledge',
}

const longDate = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

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
