import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { Ago } from '../../ui/ago.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { WriterName, WriterPicture } from '../posts/byline.tsx'
import { RichText } from '../posts/rich-text.tsx'
import { answerOptions } from './community-posts.api.ts'

/** The answer that helped, before all others. Where it is not for this reader, nothing. */
export function AcceptedAnswer({ postId, commentId }: { postId: string; commentId: string }) {
  const { data: answer } = useQuery(answerOptions(postId, commentId))
  if (!answer) return null
  return (
    <section aria-labelledby="accepted-answer" className="mt-4 rounded-card border border-leaf/45 bg-leaf-soft p-4 sm:p-5">
      <h2 id="accepted-answer" className="flex items-center gap-2 font-medium font-sans text-leaf text-sm">
        <CircleCheck aria-hidden="true" className="size-4.5" />
        Accepted answer
      </h2>
      <div className="mt-3 flex gap-3">
        <WriterPicture business={answer.business} author={answer.author} size="sm" />
        <div className="min-w-0 flex-1">
          <p className="pt-0.5 text-sm">
            <WriterName business={answer.business} author={answer.author} />{' '}
            <span className="text-muted">
              <Ago at={answer.createdAt} />
            </span>
          </p>
          <RichText text={answer.content} className="mt-1 text-[0.9375rem]" />
          <Link
            to="/post/$id"
            params={{ id: postId }}
            hash={`comment-${answer.id}`}
            replace
            className={`${textLink} touch-target mt-2 inline-block text-sm`}
          >
            See it among the comments
          </Link>
        </div>
      </div>
    </section>
  )
}
