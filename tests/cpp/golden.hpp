#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The lines of a tab-separated file of tests/golden as numbers, without the line of names. Columns past `columns` are
/// not read.
inline std::vector<std::vector<double>> read_golden(const std::string& name, std::size_t columns) {
  std::ifstream file(std::string(GOLDEN_FOLDER "/") + name);
  std::string line;
  std::vector<std::vector<double>> rows;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<double> row(columns);
    for (double& value : row) {
      std::string field;
      std::getline(fields, field, '\t');
      value = std::stod(field);
    }
    rows.push_back(row);
  }
  return rows;
}
