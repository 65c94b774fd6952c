import { type Control, useWatch } from 'react-hook-form'
import type { NewPost } from '../../../contracts/posts.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import type { PostValues } from './composer-schema.ts'

/** What the rules say to a post, apart from its form: each key that is pressed draws this anew and nothing else. */
export function PostHints({ control }: { control: Control<PostValues, unknown, NewPost> }) {
  const [title, content, tags, place, postType, businessId] = useWatch({
    control,
    name: ['title', 'content', 'tags', 'place', 'postType', 'businessId'],
  })
  const texts = [title, content, tags.join(' '), place]
  return <ComplianceHints words={{ kind: 'post', texts, postType, businessId: businessId || null }} />
}
