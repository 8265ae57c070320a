export const fileReceiverNeeds = [
  'A web service accepts a POST of CSV or JSON and responds with 2xx once it has stored it. Each POST has an Idempotency-Key; a repeated key must be processed only once.',
  'An SFTP server has a folder that the user can write to. A file is written under a temporary name and renamed when it is complete.',
  'On schedule, a file is sent only if it differs from the last one accepted. Run now always sends it.',
] as const
