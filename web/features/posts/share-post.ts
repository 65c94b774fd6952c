import { shareLink } from '../../ui/share-link.ts'

export const sharePost = ({ id, title }: { id: string; title: string }): Promise<void> => shareLink(`${location.origin}/post/${id}`, title)
