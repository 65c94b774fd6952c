import { ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { newPostsText } from './new-posts.ts'

/** What one look at the top of the feed brings at most: the contract's page size, without its code. */
const pageSize = 20

/** Says that there is something new, at the top of the window, and moves nothing until it is pressed. */
export function NewPostsPill({ count, onShow }: { count: number; onShow: () => Promise<void> }) {
  const [isPending, setPending] = useState(false)
  async function show() {
    setPending(true)
    try {
      await onShow()
    } catch (error) {
      toast({ title: 'The new posts could not be loaded', description: messageOf(error), variant: 'destructive' })
    } finally {
      setPending(false)
    }
  }
  return (
    <div role="status" className="pointer-events-none sticky top-19 z-20 h-0">
      {count > 0 && (
        <div className="flex animate-appear justify-center">
          <Button pending={isPending} onClick={() => void show()} className="pointer-events-auto rounded-full! shadow-lift" size="sm">
            <ArrowUp aria-hidden="true" />
            {newPostsText(count, pageSize)}
          </Button>
        </div>
      )}
    </div>
  )
}
