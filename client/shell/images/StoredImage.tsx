import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { downloadImage } from './images.ts'

/** Shows a stored picture. It is loaded with the user's token, so that access is checked. */
export function StoredImage({ id, alt, className }: { id: number; alt: string; className?: string }) {
  const image = useQuery({ queryKey: ['image', id], queryFn: () => downloadImage(id), staleTime: Number.POSITIVE_INFINITY })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!image.data) return undefined
    const objectUrl = URL.createObjectURL(image.data)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [image.data])
  return url ? <img src={url} alt={alt} className={className} /> : null
}
