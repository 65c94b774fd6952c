import type { LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { HelpBlock, HelpText } from '#contracts/help-texts.ts'
import { PageLink, PublicPage, SupportMail } from './public-page.tsx'

/** The guide's answers come from the same texts. */
export function HelpTextPage({ text: { title, lead, sections } }: { text: HelpText }) {
  return (
    <PublicPage
      title={title}
      lead={lead}
      sections={sections.map(({ id, title: name, blocks }) => ({ id, title: name, body: bodyOf(blocks) }))}
    />
  )
}

const bodyOf = (blocks: readonly HelpBlock[]): ReactNode =>
  blocks.map((block) => {
    if ('heading' in block) return <h3 key={block.heading}>{block.heading}</h3>
    if ('text' in block) return <p key={block.text}>{inline(block.text)}</p>
    return (
      <ul key={block.list.join()}>
        {block.list.map((item) => (
          <li key={item}>{inline(item)}</li>
        ))}
      </ul>
    )
  })

const marks = /\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*/g

/** Renders `[words](/page#part)`, `[words](mail:Subject)` and `**words**`. Only for our own texts. */
function inline(text: string): ReactNode {
  const parts: ReactNode[] = []
  let done = 0
  for (const match of text.matchAll(marks)) {
    const [whole, words, target = '', strong] = match
    parts.push(text.slice(done, match.index))
    if (strong) parts.push(<strong key={match.index}>{strong}</strong>)
    else if (target.startsWith('mail:')) parts.push(<SupportMail key={match.index} subject={target.slice(5)} />)
    else {
      const [to = '', hash] = target.split('#')
      parts.push(
        <PageLink key={match.index} to={to as NonNullable<LinkProps['to']>} {...(hash ? { hash } : {})}>
          {words}
        </PageLink>,
      )
    }
    done = match.index + whole.length
  }
  return (
    <Fragment>
      {parts}
      {text.slice(done)}
    </Fragment>
  )
}
