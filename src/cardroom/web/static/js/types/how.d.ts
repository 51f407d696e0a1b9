/** What the server sends of a film; what is empty is left out. */
export interface Lying {
  card?: string;
  below?: string;
  sideways?: boolean;
  marked?: boolean;
}

export interface Row {
  label: string;
  cards: Lying[];
  words?: string;
}

export interface Film {
  title: string;
  milliseconds: number;
  scenes: { caption: string; rows: Row[] }[];
}
