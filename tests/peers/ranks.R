# ranks.R DIR SEED - writes tables of what R and DESeq2 compute, for tests/unit/contrast.c.
args <- commandArgs(TRUE)
dir <- args[1]
set.seed(as.integer(args[2]))
suppressMessages(library(DESeq2))
join <- function(x) paste(formatC(x, digits = 8, format = "g"), collapse = ",")
line <- function(...) paste(..., sep = "\t")

ranks <- character()
for (i in 1:200) {
	m <- sample(2:14, 1)
	n <- sample(2:14, 1)
	if (i %% 20 == 0) {
		m <- sample(45:70, 1)
		n <- sample(45:70, 1)
	}
	old <- round(rnorm(m, 1000, 50), 3)
	new <- round(rnorm(n, 1000 + sample(c(0, 40, -80), 1), 50), 3)
	if (i %% 2 == 0) {
		old <- round(old / 20) * 20
		new <- round(new / 20) * 20
	}
	r <- suppressWarnings(wilcox.test(new, old, conf.int = TRUE))
	ranks <- c(ranks, line(join(old), join(new), join(c(r$p.value, r$estimate, r$conf.int))))
}
writeLines(ranks, file.path(dir, "ranks.tsv"))

adjusted <- character()
for (i in 1:20) {
	p <- round(runif(sample(1:40, 1))^2, 6)
	if (i %% 2 == 0) p <- round(p, 2)
	adjusted <- c(adjusted, line(join(p), join(p.adjust(p, "BH"))))
}
writeLines(adjusted, file.path(dir, "adjusted.tsv"))

factors <- character()
for (i in 1:50) {
	k <- sample(4:8, 1)
	w <- matrix(rpois(14 * k, 200 * exp(rnorm(14)) %o% exp(rnorm(k, 0, 0.3))), 14) + 1
	if (i %% 2 == 0) w[sample(length(w), 8)] <- 0
	# Functions that fewer than nine of ten profiles have do not count.
	used <- w[rowMeans(w > 0) >= 0.9, , drop = FALSE]
	if (all(used > 0)) {
		f <- estimateSizeFactorsForMatrix(used)
	} else {
		means <- apply(used, 1, function(row) exp(mean(log(row[row > 0]))))
		f <- estimateSizeFactorsForMatrix(used, geoMeans = means)
	}
	factors <- c(factors, line(k, join(as.vector(t(w))), join(f)))
}
writeLines(factors, file.path(dir, "factors.tsv"))
