import classes from './RichView.module.css'

/** Rich text that the server has sanitised to headings, lists, bold, italic, links and images (behaviour B-124). */
export function RichTextView({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server stores clean text only, and no script runs in pages of ours
  return <div className={classes.rich} dangerouslySetInnerHTML={{ __html: html }} />
}
