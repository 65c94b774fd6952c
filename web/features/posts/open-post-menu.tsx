import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Flag, Pencil, Trash2 } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { Post } from '../../../contracts/posts.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { useReport } from '../reports/use-report.tsx'
import { reportedWriter } from './byline.tsx'
import { removePost } from './delete-post.ts'

export type PostMenuProps = {
  post: Post
  /** Leaves the page of a post that was just deleted. */
  onRemoved?: (() => void) | undefined
  /** What can be done with it where it was posted. */
  extra?: ReactNode
}

/** The menu behind the button of {@link file://./post-menu.tsx}. It opens at once. */
export default function OpenPostMenu({ post, onRemoved, extra, trigger }: PostMenuProps & { trigger: ReactElement }) {
  const client = useQueryClient()
  const report = useReport('post', post.id, reportedWriter(post))
  const { abilities } = post
  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>{trigger}</MenuTrigger>
        <MenuContent>
          {extra}
          {abilities.edit && (
            <MenuItem asChild>
              <Link to="/post/$id/edit" params={{ id: post.id }}>
                <Pencil aria-hidden="true" />
                Edit
              </Link>
            </MenuItem>
          )}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.delete && (
            <MenuItem
              danger
              onSelect={() => {
                removePost(client, post)
                onRemoved?.()
              }}
            >
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {report.dialog}
    </>
  )
}
